"""Selection mode: answers from the passage that the reader selected, and from no other text."""
