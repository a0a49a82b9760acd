"""Opens indexes, serves them, and replaces them when a new build is deployed."""
