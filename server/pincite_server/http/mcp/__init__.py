"""The Model Context Protocol at `/mcp`: agents search, read and ask in the same index as readers."""
