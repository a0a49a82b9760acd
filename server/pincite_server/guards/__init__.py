"""Stage 4: what an answer must pass before a reader sees it."""
