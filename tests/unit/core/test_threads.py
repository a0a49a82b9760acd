"""A search runs on one thread, unless the environment says otherwise."""

import os
import subprocess
import sys

import pytest

TOLD = """
import os, sys
import {module}
assert "numpy" not in sys.modules
import pincite_core.index.read
print(os.environ["OPENBLAS_NUM_THREADS"])
"""


@pytest.mark.parametrize(("given", "threads"), [({}, "1"), ({"OPENBLAS_NUM_THREADS": "3"}, "3")])
@pytest.mark.parametrize("module", ["pincite_core", "pincite_indexer", "pincite_server"])
def test_numpy_is_told_before_it_is_imported(module: str, given: dict[str, str], threads: str) -> None:
    clean = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    run = subprocess.run(
        [sys.executable, "-c", TOLD.format(module=module)],
        env=clean | given,
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.strip() == threads
