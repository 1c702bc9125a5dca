"""Doing what was decided: one call with its limits, later whole plans."""
