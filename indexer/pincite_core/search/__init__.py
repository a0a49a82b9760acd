"""Hybrid search: ranks the sections of an index for a question and returns evidence signals."""
