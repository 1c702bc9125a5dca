"""From a question to a plan: by a model, by rules, or as a single step."""
