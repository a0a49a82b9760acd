"""Resolve a whole site: its pages, and their URLs, versions, locales, sources and stable IDs."""
