"""The blocks of handler kinds: what a tool, or a source of tools, says of the service behind it; a file a kind."""
