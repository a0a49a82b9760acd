"""The index file: its schema, its rows, writing and reading them."""
