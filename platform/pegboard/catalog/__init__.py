"""Tools, the toolsets of sites, and what an author of handlers reads."""
