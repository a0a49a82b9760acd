"""A stranger's path: what docs/install.md says, step by step, to the first cited answer in a browser."""
