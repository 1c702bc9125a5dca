"""A site as an MCP server, over HTTP and stdio: its tools, and one that answers a question with all of them."""
