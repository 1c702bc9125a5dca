"""Samples of the blocks of handler kinds, a file a kind; `samples` puts them together."""
