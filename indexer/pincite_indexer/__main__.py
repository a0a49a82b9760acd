"""Run the command `pincite` as `python -m pincite_indexer`, for machines where scripts are not on the PATH."""

from pincite_core.cli import main

main()
