"""What a journal says of its run, read back: where it stands, what it came to, what of it still holds. Pure."""
