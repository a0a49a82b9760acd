"""Metrics, logs and the optional question log for the operator. Nothing identifies a reader."""
