"""Replies in progress: start, share between readers, store for retries, and stream."""
