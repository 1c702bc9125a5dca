"""The ways in: the command, the web server and its page. Nothing imports an edge."""
