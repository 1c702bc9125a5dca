"""Text to trees: source with places, readers of YAML, JSON and XML."""
