"""Documents in XML, YAML and JSON, read with the place of every value; the server's settings."""
