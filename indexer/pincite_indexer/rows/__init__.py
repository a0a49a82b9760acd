"""Build the rows of the index: numbered records, links between targets, and search terms."""
