"""Doing what was decided: one call with its limits, and whole plans, by one engine or another."""
