"""What carries requests and replies: connections, bodies, problems, the schema, and what is noted of each request."""
