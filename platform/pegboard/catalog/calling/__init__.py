"""How handlers that are written in Python are called: on the loop, in a thread, or in a process of their own.

Not here: which handler a declaration names (`loading`), nor deadlines and outcomes (`run/step`).
"""
