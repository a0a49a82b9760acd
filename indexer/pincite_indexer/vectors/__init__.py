"""Embed texts: export the encoder that ships with the index, and cache vectors."""
