"""What is wrong in what documents mean, one file per subject; each check tells `findings`, and none raises.

Not here: problems that are found only while a tool or a toolset is put together (`assemble`, `extends`).
"""
