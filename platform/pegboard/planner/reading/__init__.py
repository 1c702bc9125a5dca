"""From what a model wrote to a plan: cleaned, mended by named rules, and what is wrong with it.

Pure. What cannot be mended without a guess is a fault; nothing here decides what to do about one (`by_model.py`).
"""
