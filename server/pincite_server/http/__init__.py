"""The HTTP sidecar: routes, MCP tools, streamed replies, admission control and transport."""
