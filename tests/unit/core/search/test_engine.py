"""`PINCITE_ENGINE` names the engine that searches an index."""

import sys
from pathlib import Path

import pytest
from tests.factories import build_index
from tests.plugin_packages import install_plugin

from pincite_core.embedders import FakeEmbedder
from pincite_core.errors import PluginError
from pincite_core.index.read import Index
from pincite_core.search.engine import ENGINE_VARIABLE, GROUP
from pincite_core.search.sqlite_engine import SqliteEngine

ENGINE = """
from pincite_core.search.sqlite_engine import SqliteEngine

ASKED = []


class Engine(SqliteEngine):
    def near_chunks(self, query, scope_ids, k):
        ASKED.append(k)
        return super().near_chunks(query, scope_ids, k)
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(tmp_path / "packages")
    monkeypatch.delitem(sys.modules, "acme_docs", raising=False)
    monkeypatch.delenv(ENGINE_VARIABLE, raising=False)
    build_index(tmp_path / "index", {"/guide": "# Guide\n## Docker {#docker}\nThe image listens on port 8080.\n"})
    monkeypatch.setenv(ENGINE_VARIABLE, "acme")
    return tmp_path


def test_an_index_is_searched_by_the_engine_of_a_plugin(place: Path) -> None:
    install_plugin(place / "packages", GROUP, "acme = acme_docs:Engine", ENGINE)
    index = Index.open(place / "index")
    query = FakeEmbedder().encode(["port"])[0]
    assert index.nearest_chunks(query, [scope.scope_id for scope in index.scopes], 3)
    assert sys.modules["acme_docs"].ASKED


def test_without_the_variable_the_default_engine_searches(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install_plugin(place / "packages", GROUP, "acme = acme_docs:Engine", "raise RuntimeError\n")
    monkeypatch.delenv(ENGINE_VARIABLE)
    assert type(Index.open(place / "index")._engine) is SqliteEngine


@pytest.mark.parametrize(
    ("entry", "source", "said"),
    [
        ("other = acme_docs:Engine", ENGINE, "PINCITE_ENGINE names 'acme', which no installed package registers"),
        ("acme = acme_docs:Engine", "raise RuntimeError('no')\n", "acme-docs 1.2 cannot be loaded: RuntimeError: no"),
        ("acme = acme_docs:Engine", "Engine = 1\n", "acme-docs 1.2 cannot make an engine: TypeError"),
    ],
)
def test_an_engine_that_cannot_be_had_is_told_of_by_name(place: Path, entry: str, source: str, said: str) -> None:
    install_plugin(place / "packages", GROUP, entry, source)
    with pytest.raises(PluginError) as error:
        Index.open(place / "index")
    assert said in str(error.value)
