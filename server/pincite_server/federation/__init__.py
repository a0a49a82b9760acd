"""Several sites behind one port: the site that a request is for, and groups of sites that are asked at once."""
