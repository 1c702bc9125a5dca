"""What editors are given: JSON Schema and RELAX NG, with descriptions and samples of every field."""
