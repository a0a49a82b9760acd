"""HTTP transport: connections, bodies, problems, the OpenAPI schema, and request logs and metrics."""
