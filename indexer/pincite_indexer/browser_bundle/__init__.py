"""Write static files for search in the browser: a manifest, and words and texts of each scope in several files."""
