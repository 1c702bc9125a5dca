"""A plan drawn: for a terminal, as a list, for Mermaid and for Graphviz. Pure; what is drawn is never run.

`draw.py` is the entry; the drawing goes  Plan -> `Box`es (boxes.py) -> places (layers.py) -> lines (channel.py).
"""
