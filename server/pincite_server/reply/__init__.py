"""Replies as they are sent: the same records over HTTP, to agents, at the command line and in evaluations."""
