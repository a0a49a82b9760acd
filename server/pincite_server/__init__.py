"""Serve time: questions in, cited answers out; never imports torch or lxml."""
