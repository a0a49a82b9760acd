"""Analysis of single quotable units: their plain text, their role, and their quantities."""
