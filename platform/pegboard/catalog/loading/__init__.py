"""From what a declaration names as its handler to what runs; `named` is the way in."""
