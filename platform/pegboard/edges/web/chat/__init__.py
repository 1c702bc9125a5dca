"""The OpenAI-compatible endpoint: each site is a model that whoever speaks chat completions can ask."""
