"""The command-line commands that query, serve, check and report on an index; `pincite_core.cli` lists them."""
