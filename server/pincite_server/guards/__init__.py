"""Stage 4: validates an answer before the reader sees it."""
