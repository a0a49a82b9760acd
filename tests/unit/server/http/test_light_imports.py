import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[4]


@pytest.mark.parametrize("module", ["pincite_server", "pincite_server.http.app", "pincite_server.cli.serve"])
def test_importing_the_server_loads_no_heavy_library(module: str):
    code = f"import sys, {module}; print(*sys.modules, sep='\\n')"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert set(loaded).isdisjoint({"torch", "lxml", "sentence_transformers", "transformers", "pincite_indexer"})


def test_starting_the_sidecar_loads_no_library_that_its_first_minute_does_not_need(tmp_path: Path):
    code = """
import sys
from pathlib import Path
from tests.factories import build_index
from pincite_core.embedders import FakeEmbedder
from pincite_server.engine import Engine
from pincite_server.http.app import create_app
from pincite_server.indexes.registry import IndexSet, ServedIndex
from pincite_server.settings import Settings
index = build_index(Path(sys.argv[1]), {"/a": "# A"})
create_app(Settings(), IndexSet([ServedIndex(Engine.with_embedder(index, FakeEmbedder()), {})]))
print(*sys.modules, sep="\\n")
"""
    run = subprocess.run([sys.executable, "-c", code, tmp_path], capture_output=True, text=True, check=True, cwd=ROOT)
    assert set(run.stdout.split()).isdisjoint({"mcp", "pydantic", "attrs", "openai", "jsonschema"})
