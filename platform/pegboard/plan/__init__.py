"""Several steps at once: what shall be done, in which order, and with what of whose results."""
