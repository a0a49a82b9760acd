"""Answers that a language model writes, checked unit by unit before a reader sees them."""
