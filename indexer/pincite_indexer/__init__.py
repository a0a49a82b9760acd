"""Build time: a built site in, an index out."""
