"""One page: its HTML in, its facts, pieces, targets and chunks out; nothing here knows the rest of the site."""
