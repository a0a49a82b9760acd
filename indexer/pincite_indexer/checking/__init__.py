"""`pincite check`: dead links and anchors, duplicate ids, and what changed since the last deploy."""
