"""Site generators: one module each with all that is special about it. Whoever reads pages knows only the record."""
