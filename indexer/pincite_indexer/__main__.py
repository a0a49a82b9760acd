"""`python -m pincite_indexer` is the command `pincite`, for machines where scripts are not on the PATH."""

from pincite_core.cli import main

main()
