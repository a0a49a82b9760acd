"""The reader's question, and its resolution before it is answered."""
