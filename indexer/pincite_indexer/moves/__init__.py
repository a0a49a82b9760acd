"""Track the stable IDs of the previous index: moved or lost."""
