import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[4]


@pytest.mark.parametrize("module", ["pincite_server", "pincite_server.http.app", "pincite_server.cli.serve_command"])
def test_importing_the_server_loads_no_heavy_library(module: str):
    code = f"import sys, {module}; print(*sys.modules, sep='\\n')"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert set(loaded).isdisjoint(
        {"torch", "lxml", "sentence_transformers", "transformers", "pincite_indexer", "psycopg", "sqlalchemy"}
    )


def test_starting_the_sidecar_loads_no_library_that_its_first_minute_does_not_need(tmp_path: Path):
    code = """
import sys
from pathlib import Path
from tests.factories import build_index
from pincite_core.embedders import FakeEmbedder
from pincite_server.answerer import Answerer
from pincite_server.http.app import create_app
from pincite_server.indexes.registry import IndexSet, ServedIndex
from pincite_server.settings import Settings
index = build_index(Path(sys.argv[1]), {"/a": "# A"})
create_app(Settings(), IndexSet([ServedIndex(Answerer.with_embedder(index, FakeEmbedder()), {})]))
print(*sys.modules, sep="\\n")
"""
    run = subprocess.run([sys.executable, "-c", code, tmp_path], capture_output=True, text=True, check=True, cwd=ROOT)
    assert set(run.stdout.split()).isdisjoint({"mcp", "pydantic", "attrs", "openai", "jsonschema", "psycopg"})


@pytest.mark.parametrize("command", ["ask", "search", "ground"])
def test_the_help_of_a_command_that_asks_an_index_loads_no_web_server(command: str):
    code = f"""
import sys
from pincite_core.cli import root
root([{command!r}, "--help"], standalone_mode=False)
print(*sys.modules, sep="\\n")
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "Usage" in run.stdout
    assert web_servers(run.stdout) == set()


def test_an_answer_at_the_command_line_loads_no_web_server(tmp_path: Path):
    code = """
import sys
from pathlib import Path
from tests.factories import build_index
from pincite_core import embedders
from pincite_server import answerer
answerer.load_index_embedder = lambda folder, info: embedders.FakeEmbedder()
from pincite_core.cli import root
index = build_index(Path(sys.argv[1]), {"/docs/a": "# Retries\\nThe retry limit is three."})
root(["ask", str(index.file), "What is the retry limit?", "--json"], standalone_mode=False)
root(["search", str(index.file), "retry limit"], standalone_mode=False)
print(*sys.modules, sep="\\n")
"""
    run = subprocess.run([sys.executable, "-c", code, tmp_path], capture_output=True, text=True, check=True, cwd=ROOT)
    assert run.stdout.startswith('{"type":"answer"')
    assert web_servers(run.stdout) == set()


def web_servers(printed: str) -> set[str]:
    """Return the server libraries among the modules that a process printed."""
    return {line.split(".")[0] for line in printed.splitlines()} & {
        "litestar",
        "uvicorn",
        "mcp",
        "starlette",
        "psycopg",
    }
