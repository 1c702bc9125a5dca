"""Secrets: a value that never prints, where it is kept, and what stands in the clear."""
