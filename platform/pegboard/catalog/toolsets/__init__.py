"""The algebra of toolsets: what a site inherits, in what order, and what overrides what."""
