"""`pincite doctor`: checks whether a sidecar or an index can serve a site, with a fix for each problem."""
