"""Static files for searching in the reader's browser: one manifest, and of each scope its words and texts in parts."""
