"""Multi-site serving: choose the site of a request, and search groups of sites at once."""
