"""The Model Context Protocol at `/mcp`: agents search, read and ask over the same index, with the same anchors."""
