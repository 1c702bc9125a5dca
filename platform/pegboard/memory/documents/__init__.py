"""Documents: what was written, kept by site, with every version of it."""
