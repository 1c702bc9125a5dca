"""Content: read, split into passages, indexed, and found again by words and by meaning."""
