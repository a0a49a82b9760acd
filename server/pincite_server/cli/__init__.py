"""The commands that ask, serve, examine and report on an index; `pincite_core.cli` lists them."""
