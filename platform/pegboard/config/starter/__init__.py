"""What `platform init` lays down and `platform add` writes: the text of it, and where it goes.

Not here: touching files; that is the commands' business.
"""
