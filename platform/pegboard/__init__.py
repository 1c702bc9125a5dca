"""pegboard: a tool platform that is configured, not programmed."""

__version__ = "0.1.0"
