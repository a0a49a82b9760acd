"""Pages that the sidecar's own addresses hide are named when it starts."""

import logging
from pathlib import Path

import pytest
from tests.factories import build_index

from pincite_core.embedders import FakeEmbedder
from pincite_server.answerer import Answerer
from pincite_server.http.app import create_app
from pincite_server.indexes.registry import IndexSet, ServedIndex
from pincite_server.settings import Settings


def start(folder: Path, *urls: str) -> None:
    """Make the application of a site with pages at some URLs."""
    index = build_index(folder / "pincite", dict.fromkeys(urls, "# A page\nText."), base_url="/")
    create_app(Settings(site=folder), IndexSet([ServedIndex(Answerer.with_embedder(index, FakeEmbedder()), {})]))


@pytest.fixture(autouse=True)
def _log(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logging.getLogger("pincite"), "propagate", True)
    caplog.set_level(logging.WARNING)


def test_pages_under_the_sidecars_addresses_are_named(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    start(tmp_path, "/c/arrays", "/c/", "/ready", "/health/", "/api/search", "/mcp", "/docs/c/fine", "/ready-made")
    (record,) = caplog.records
    assert record.getMessage().startswith("The sidecar's own routes hide 6 of the site's pages: ")
    assert "/c/arrays" in record.getMessage()
    assert "/ready-made" not in record.getMessage()


def test_a_site_without_such_pages_starts_without_a_word(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    start(tmp_path, "/", "/docs/install", "/api/client", "/docs/c/fine")
    assert caplog.records == []
