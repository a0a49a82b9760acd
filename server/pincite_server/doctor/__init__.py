"""`pincite doctor`: whether a sidecar, or an index, is fit to serve a site; each finding says how to mend it."""
