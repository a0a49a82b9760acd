"""One question, several sites: each is asked for itself, the best of their answers is the reply."""
