"""JSON Schemas of tools: whether they are sound, and what in a value does not fit."""
