"""Admission control: access, session tokens, rate limits and fair queueing."""
