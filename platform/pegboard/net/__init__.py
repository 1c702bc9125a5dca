"""Speaking to services over HTTP: one client for every kind of tool, guarded and bounded.

Not here: what is asked and how a reply is read (`handlers`), nor models (`llm`).
"""
