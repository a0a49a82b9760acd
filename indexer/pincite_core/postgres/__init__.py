"""Builds in PostgreSQL: where they are, pushing them, and reading them. Only what is named `postgresql://` loads it."""
