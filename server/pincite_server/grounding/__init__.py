"""Grounding checks: verify by names, quantities, negations and words that a source supports an answer."""
