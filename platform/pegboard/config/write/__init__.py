"""Write documents: from one syntax to another (`convert`), and in the house form (`house`), comments included.

Both go by a tree of parts (`tree`), which holds what the nodes of a document mean and where its comments belong.
"""
