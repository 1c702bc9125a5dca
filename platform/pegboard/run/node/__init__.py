"""What one node of a run does: its tool, the values it was given, its slot among all that work."""
