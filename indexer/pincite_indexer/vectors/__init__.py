"""Texts to vectors: the encoder that travels with the index, and what is never embedded twice."""
