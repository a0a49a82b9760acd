"""Faults put into what guards readers, to see whether a test notices them."""
