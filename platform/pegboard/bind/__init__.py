"""From a question to checked arguments: what is executed has always passed the tool's own schema."""
