"""What went before: follow-up questions."""
