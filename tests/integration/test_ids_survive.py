"""Every citation made before a reorganisation, followed after it: command, sidecar and pages are the real ones."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest
from tests.integration.indexing import copy_site, parse_page, run_index
from tests.integration.serving import serve

from pincite_core.urls import split_fragment

LOST = {"default/install#user-content-fn-1", "default/install#user-content-fnref-1", "default/install#footnote-label"}


def reorganise(site: Path) -> None:
    """Move a page and rename its headings, give another a new slug, and rewrite the end of one for good."""
    install = site / "docs/install/index.html"
    text = install.read_text(encoding="utf-8").replace("docs-doc-id-install", "docs-doc-id-start/set-up")
    for old, new in {"docker": "with-docker", "troubleshooting": "no-start"}.items():
        text = text.replace(f'id="{old}"', f'id="{new}"')
    text = text.replace("Docker<a", "Containers<a").replace("/kit/docs/install", "/kit/docs/start/set-up")
    head, _, rest = text.partition("<section data-footnotes")
    text = head.replace(' id="user-content-fnref-1"', "") + rest.partition("</section>")[2]
    (site / "docs/start/set-up").mkdir(parents=True)
    (site / "docs/start/set-up/index.html").write_text(text, encoding="utf-8")
    shutil.rmtree(install.parent)
    shutil.move(site / "docs/api", site / "docs/reference")
    api = site / "docs/reference/index.html"
    api.write_text(
        api.read_text(encoding="utf-8")
        .replace('"https://harbor.example/kit/docs/api"', '"https://harbor.example/kit/docs/reference"')
        .replace('id="opt-retries"', 'id="setting-retries"'),
        encoding="utf-8",
    )


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy_site("harbor", tmp_path_factory.mktemp("site"))


@pytest.fixture(scope="module")
def cited_before(site: Path) -> list[dict[str, str]]:
    assert run_index(site).returncode == 0
    ids: list[dict[str, str]] = json.loads((site / "pincite/ids.json").read_text())["ids"]
    return ids


@pytest.fixture(scope="module")
def client(site: Path, cited_before: list[dict[str, str]]) -> Iterator[httpx.Client]:
    reorganise(site)
    built = run_index(site, "--previous", site / "pincite")
    assert built.returncode == 0, built.stderr
    with serve(site / "pincite") as running:
        yield running


def lands(site: Path, url: str) -> bool:
    page, anchor = split_fragment(url)
    return anchor in parse_page(site, page, "/kit/").ids | {""}


def test_every_earlier_citation_lands_or_is_reported_lost(
    site: Path, cited_before: list[dict[str, str]], client: httpx.Client
) -> None:
    statuses = set()
    for cited in cited_before:
        scope = {"version": cited["version"], "locale": cited["locale"]}
        found = client.post("/api/resolve", json={"ids": [cited["id"]], **scope}).json()[cited["id"]]
        assert (found["status"] == "lost") == (cited["id"] in LOST), cited
        assert found["status"] == "lost" or lands(site, found["url"]), cited
        statuses.add(found["status"])
    assert statuses == {"current", "moved", "lost"}


def test_a_moved_citation_leads_to_the_version_it_was_made_in(client: httpx.Client) -> None:
    moved = client.post("/api/resolve", json={"ids": ["default/install#docker"], "version": "2.0"}).json()
    assert moved["default/install#docker"]["url"] == "/kit/docs/start/set-up#with-docker"
    older = client.post("/api/resolve", json={"ids": ["default/install"], "version": "1.0"}).json()
    assert older["default/install"] == {"url": "/kit/docs/1.0/install", "title": "Install", "status": "current"}


def test_following_a_citation_redirects_or_says_that_it_is_gone(
    site: Path, cited_before: list[dict[str, str]], client: httpx.Client
) -> None:
    for cited in cited_before:
        query = {"v": cited["version"] or "", "l": cited["locale"]}
        reply = client.get(f"/c/{quote(cited['id'], safe='/')}", params={k: v for k, v in query.items() if v})
        if cited["id"] in LOST:
            assert reply.status_code == 410
            assert reply.json()["nearest"]["url"].startswith("/kit/")
        else:
            assert reply.status_code == 302
            assert lands(site, reply.headers["location"].removeprefix("https://harbor.example"))


def test_the_public_list_says_what_moved_and_what_is_lost(site: Path, client: httpx.Client) -> None:
    listed = json.loads((site / "pincite/ids.json").read_text())
    moved = {alias["from"]: alias["to"] for alias in listed["aliases"]}
    assert moved["default/install#log"] == "default/set-up#log"
    assert moved["default/api#opt-retries"] == "default/api#setting-retries"
    assert set(listed["lost"]) == LOST
