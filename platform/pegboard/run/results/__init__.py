"""What becomes of a result: it is held to its schema, traced as it came, and cut to what a model can use.

Not here: what is made of a failure (`run/outcome`), nor words for people (`answer`).
"""
