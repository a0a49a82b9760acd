"""What a site's own evidence looks like, made once and kept while the site is the same."""
