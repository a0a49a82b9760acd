"""The reply records that HTTP, MCP, the command line and evaluations share."""
