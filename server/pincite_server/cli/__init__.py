"""The commands: ask, search, ground, serve."""
