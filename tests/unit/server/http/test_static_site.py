import logging
from pathlib import Path

import pytest
from tests.factories import build_index

from pincite_core.embedders import FakeEmbedder
from pincite_server.answerer import Answerer
from pincite_server.http.app import create_app
from pincite_server.http.static_site import SiteFile, SiteRedirect, StaticSite
from pincite_server.indexes.registry import IndexSet, ServedIndex
from pincite_server.settings import Settings


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    files = [
        "index.html",
        "404.html",
        "about.html",
        "docs/index.html",
        "docs/intro/index.html",
        "both.html",
        "both/index.html",
        "trap.html/index.html",
        "empty/asset.js",
        "café/index.html",
        "spa ce.html",
    ]
    site = tmp_path / "build"
    for name in files:
        file = site / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(name)
    (tmp_path / "secret.html").write_text("not for you")
    (site / "way-out.html").symlink_to(tmp_path / "secret.html")
    return site


@pytest.mark.parametrize(
    ("path", "file"),
    [
        ("/kit/", "index.html"),
        ("/kit/index.html", "index.html"),
        ("/kit/about", "about.html"),
        ("/kit/about.html", "about.html"),
        ("/kit/docs/", "docs/index.html"),
        ("/kit/docs/intro/", "docs/intro/index.html"),
        ("/kit/both", "both.html"),
        ("/kit/both/", "both/index.html"),
        ("/kit/trap.html/", "trap.html/index.html"),
        ("/kit/empty/asset.js", "empty/asset.js"),
        ("/kit/caf%C3%A9/", "café/index.html"),
        ("/kit/spa%20ce", "spa ce.html"),
    ],
)
def test_a_path_is_served_as_a_static_host_would(folder: Path, path: str, file: str):
    assert StaticSite(folder, "/kit/").find(path) == SiteFile(folder / file)


@pytest.mark.parametrize(
    ("path", "location"),
    [
        ("/", "/kit/"),
        ("/kit", "/kit/"),
        ("/kit/docs", "/kit/docs/"),
        ("/kit/trap.html", "/kit/trap.html/"),
        ("/kit/trap", None),
        ("/kit/caf%C3%A9", "/kit/caf%C3%A9/"),
    ],
)
def test_a_folder_without_its_slash_is_redirected(folder: Path, path: str, location: str | None):
    found = StaticSite(folder, "/kit/").find(path)
    assert found == (SiteRedirect(location) if location else SiteFile(folder / "404.html", status=404))


@pytest.mark.parametrize(
    "path",
    [
        "/kit/../secret.html",
        "/kit/docs/../../secret.html",
        "/kit/%2e%2e/secret.html",
        "/kit/..%2fsecret.html",
        "/kit/..%5csecret.html",
        "/kit//etc/passwd",
        "/kit/%2fetc/passwd",
        "/kit/./index.html",
        "/kit/way-out",
        "/kit/way-out.html",
        "/kit/index.html%00.js",
        "/kit/" + "x" * 5000,
        "/kit/about/",
        "/kit/empty/",
        "/kit/nothing",
        "/other/index.html",
        "/kitchen/",
    ],
)
def test_any_other_path_gets_the_sites_404_page(folder: Path, path: str):
    assert StaticSite(folder, "/kit/").find(path) == SiteFile(folder / "404.html", status=404)


def test_a_site_at_the_root_has_no_redirect_at_its_start(folder: Path):
    assert StaticSite(folder, "/").find("/") == SiteFile(folder / "index.html")


def test_a_site_without_a_404_page_finds_nothing(folder: Path):
    (folder / "404.html").unlink()
    assert StaticSite(folder, "/").find("/nothing") is None


def start(folder: Path, *urls: str) -> None:
    """Make the application of a site with pages at some URLs."""
    index = build_index(folder / "pincite", dict.fromkeys(urls, "# A page\nText."), base_url="/")
    create_app(Settings(site=folder), IndexSet([ServedIndex(Answerer.with_embedder(index, FakeEmbedder()), {})]))


@pytest.fixture
def log(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> pytest.LogCaptureFixture:
    monkeypatch.setattr(logging.getLogger("pincite"), "propagate", True)
    caplog.set_level(logging.WARNING)
    return caplog


def test_pages_under_the_sidecars_addresses_are_named(tmp_path: Path, log: pytest.LogCaptureFixture):
    start(tmp_path, "/c/arrays", "/c/", "/ready", "/health/", "/api/search", "/mcp", "/docs/c/fine", "/ready-made")
    (record,) = log.records
    assert record.getMessage().startswith("The sidecar's own routes hide 6 of the site's pages: ")
    assert "/c/arrays" in record.getMessage()
    assert "/ready-made" not in record.getMessage()


def test_a_site_without_hidden_pages_starts_without_a_warning(tmp_path: Path, log: pytest.LogCaptureFixture):
    start(tmp_path, "/", "/docs/install", "/api/client", "/docs/c/fine")
    assert log.records == []
