"""Evaluates answers to a documentation team's own questions."""
