"""What became of the stable IDs of the index before: moved, or lost."""
