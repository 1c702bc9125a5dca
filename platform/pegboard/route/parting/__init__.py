"""Whether a question is of several parts, and which: where its wording may be cut, and what the tools say to it."""
