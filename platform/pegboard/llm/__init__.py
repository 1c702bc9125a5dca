"""Language models and embedders behind two seams; one file speaks to a provider."""
