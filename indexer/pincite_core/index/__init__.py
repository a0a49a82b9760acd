"""Read, write and validate the index file."""
