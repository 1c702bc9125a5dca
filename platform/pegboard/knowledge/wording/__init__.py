"""What content says, in words: the facts of an item, the sentences of a passage, and their citations.

Extractive: nothing is said that the source does not say. Above: the handlers. Below: only `catalog.contract`,
`knowledge.values` and `text`. Not here: how content is found (`knowledge`'s other files).
"""
