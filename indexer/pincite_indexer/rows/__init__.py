"""The rows of the index: everything numbered, links between targets, words to search by."""
