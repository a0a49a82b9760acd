"""Answers from a passage that the reader highlighted, and from nothing else."""
