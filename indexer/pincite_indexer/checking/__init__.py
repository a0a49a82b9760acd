"""Check a site for `pincite check`: dead links and anchors, duplicate IDs, and changes since the last deploy."""
