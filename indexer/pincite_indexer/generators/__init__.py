"""Describe site generators, with one module for each; other code uses only the record `Generator`."""
