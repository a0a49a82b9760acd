"""Read one page: HTML to facts, pieces, targets and chunks, without knowledge of the rest of the site."""
