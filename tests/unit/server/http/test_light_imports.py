import subprocess
import sys

import pytest


@pytest.mark.parametrize("module", ["pincite_server", "pincite_server.http.app", "pincite_server.cli.serve"])
def test_importing_the_server_loads_no_heavy_library(module: str):
    code = f"import sys, {module}; print(*sys.modules, sep='\\n')"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert set(loaded).isdisjoint({"torch", "lxml", "sentence_transformers", "transformers", "pincite_indexer"})
