"""The server's settings: apart from the documents and above them."""
