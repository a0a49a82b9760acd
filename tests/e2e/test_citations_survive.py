"""A real reorganisation of the example site, built by Docusaurus: every citation made before still lands, or is lost.

The build of `make site` is the site as it was. A copy of its sources is reorganised and built again with the earlier
index as `previous`; then everything that could have been cited is looked up in a real sidecar over the new build.
"""

import json
import os
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import httpx
import pytest
from bench.second_opinion import SeenPage, see_page
from tests.e2e.conftest import BUILD
from tests.integration.serving import serve

from pincite_core.urls import candidate_files, split_fragment

EXAMPLE = BUILD.parent
VERSION = "2.4"
LOST = {
    "guides/warm-standby#failback",
    *(f"default/fan-out{section}" for section in ("", "#split", "#join", "#priority", "#duration")),
}
MOVED = {
    "guides/backups#restore": "/docs/operations/backups#restore",  # moved; its IDs are its author's
    "concepts/leases#heartbeats": "/docs/concepts/leasing#heartbeats",  # another slug
    "guides/tls": "/docs/security/encryption",  # moved and renamed, and its author's IDs are gone
    "guides/tls#private-ca": "/docs/security/encryption#private-ca",
    "guides/tls#renewal": "/docs/security/encryption#renewing-them",
    "guides/tls#errors": "/docs/security/encryption#problems",
    "guides/warm-standby#watch": "/docs/guides/warm-standby#keep-an-eye-on-it",  # a heading with another name
}


def replace(file: Path, *pairs: tuple[str, str]) -> None:
    """Replace texts in a file; each must be there."""
    text = file.read_text(encoding="utf-8")
    for old, new in pairs:
        assert old in text, f"{file} has no {old!r}"
        text = text.replace(old, new)
    file.write_text(text, encoding="utf-8")


def reorganise(site: Path) -> None:
    """Move pages, give one another slug, rename headings, drop author's IDs, delete a section and a page for good."""
    docs = site / "versioned_docs" / f"version-{VERSION}"
    for folder in ("operations", "security"):
        (docs / folder).mkdir()
    (docs / "guides/backups.md").rename(docs / "operations/backups.md")
    (docs / "guides/tls.md").rename(docs / "security/encryption.md")
    replace(
        docs / "security/encryption.md",
        ("module_id: guides\nchapter_id: tls\n", ""),
        ("Encrypt connections with TLS", "Encryption"),
        ("## Renew certificates {/* #renewal */}", "## Renewing them"),
        ("## Common errors {/* #errors */}", "## What goes wrong {/* #problems */}"),
    )
    replace(docs / "concepts/leases.md", ("slug: /concepts/leases-and-visibility", "slug: /concepts/leasing"))
    standby = docs / "guides/warm-standby.md"
    replace(standby, ("## Watch it {/* #watch */}", "## Keep an eye on it"))
    standby.write_text(standby.read_text(encoding="utf-8").partition("## The way back")[0], encoding="utf-8")
    for folder in (docs, site / "docs"):
        (folder / "examples/fan-out.md").unlink()
    sidebar = site / "versioned_sidebars" / f"version-{VERSION}-sidebars.json"
    replace(sidebar, ("guides/backups", "operations/backups"), ("guides/tls", "security/encryption"))
    replace(sidebar, (',\n        "examples/fan-out"', ""))
    replace(site / "sidebars.js", ("'examples/fan-out'", ""))


@pytest.fixture(scope="module")
def cited_before() -> list[dict[str, Any]]:
    """Everything that a citation could name before."""
    if not (BUILD / "pincite" / "ids.json").is_file():
        pytest.fail("The example site is not built. Run `make site` first.")
    ids: list[dict[str, Any]] = json.loads((BUILD / "pincite" / "ids.json").read_text(encoding="utf-8"))["ids"]
    return ids


@pytest.fixture(scope="module")
def rebuilt(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The reorganised site as Docusaurus builds it with the plugin, in one language."""
    left = shutil.ignore_patterns("node_modules", "build", ".docusaurus")
    site = Path(shutil.copytree(EXAMPLE, tmp_path_factory.mktemp("site") / "site", ignore=left))
    (site / "node_modules").symlink_to(EXAMPLE / "node_modules")
    reorganise(site)
    previous = json.dumps(str(BUILD / "pincite"))
    replace(site / "docusaurus.config.js", ("'throw'", "'ignore'"), ("contact:", f"previous: {previous}, contact:"))
    command = ["node", "node_modules/@docusaurus/core/bin/docusaurus.mjs", "build", "--locale", "en", "--no-minify"]
    environment = os.environ | {"PINCITE_COMMAND": f'"{sys.executable}" -m pincite_indexer'}
    done = subprocess.run(command, cwd=site, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return site / "build"


@pytest.fixture(scope="module")
def client(rebuilt: Path) -> Iterator[httpx.Client]:
    with serve(rebuilt / "pincite", PINCITE_RATE_LIMIT="0", PINCITE_ADDRESS_LIMIT="0") as running:
        yield running


@pytest.fixture(scope="module")
def found(client: httpx.Client, cited_before: list[dict[str, Any]]) -> dict[tuple[str, str | None], dict[str, Any]]:
    """What became of each (stable ID, version), as a reader's history learns it."""
    versions: dict[str | None, list[str]] = defaultdict(list)
    for cited in cited_before:
        versions[cited["version"]].append(cited["id"])
    found = {}
    for version, ids in versions.items():
        for start in range(0, len(ids), 50):
            batch = ids[start : start + 50]
            reply = client.post("/api/resolve", json={"ids": batch, "version": version, "locale": "en"})
            assert reply.status_code == 200, reply.text
            found |= {(stable_id, version): answer for stable_id, answer in reply.json().items()}
    return found


@cache
def _see(file: Path) -> SeenPage:
    return see_page(file)


def lands(build: Path, url: str) -> bool:
    """Tell whether a URL leads to a page of the build and to an id in its content."""
    page, anchor = split_fragment(url)
    file = next((build / name for name in candidate_files(page, "/") if (build / name).is_file()), None)
    return file is not None and (not anchor or anchor in _see(file).ids - _see(file).outside)


def test_every_earlier_citation_lands_or_is_reported_lost(
    rebuilt: Path, cited_before: list[dict[str, Any]], found: dict[tuple[str, str | None], dict[str, Any]]
) -> None:
    assert len(cited_before) > 800
    assert len(found) == len(cited_before)
    dead = [
        answer["url"] for answer in found.values() if answer["status"] != "lost" and not lands(rebuilt, answer["url"])
    ]
    assert dead == []
    assert {stable_id for (stable_id, _), answer in found.items() if answer["status"] == "lost"} == LOST


@pytest.mark.parametrize(("stable_id", "url"), MOVED.items())
def test_what_moved_is_found_where_it_is_now(
    found: dict[tuple[str, str | None], dict[str, Any]], stable_id: str, url: str
) -> None:
    assert found[stable_id, VERSION]["url"] == url


def test_what_nobody_touched_is_where_it_was(
    cited_before: list[dict[str, Any]], found: dict[tuple[str, str | None], dict[str, Any]]
) -> None:
    touched = ("guides/backups", "guides/tls", "concepts/leases", "guides/warm-standby", "default/fan-out")
    for cited in cited_before:
        if (cited["version"] != VERSION or not cited["id"].startswith(touched)) and cited["id"] not in LOST:
            assert found[cited["id"], cited["version"]]["url"] == cited["url"], cited


def test_a_link_to_a_citation_redirects_or_says_that_it_is_gone(client: httpx.Client, rebuilt: Path) -> None:
    for stable_id in (*MOVED, *LOST):
        page, _, section = stable_id.partition("#")
        query = {"v": VERSION, "l": "en"} | ({"s": section} if section else {})
        reply = client.get(f"/c/{page}", params=query)
        if stable_id in LOST:
            assert reply.status_code == 410
            assert lands(rebuilt, reply.json()["nearest"]["url"])
        else:
            assert reply.status_code == 302
            assert reply.headers["location"].removeprefix("https://harbor-queue.example") == MOVED[stable_id]


def test_the_public_list_names_what_is_lost(rebuilt: Path) -> None:
    listed = json.loads((rebuilt / "pincite" / "ids.json").read_text(encoding="utf-8"))
    assert set(listed["lost"]) == LOST
    aliases = {alias["from"]: alias["to"] for alias in listed["aliases"]}
    assert aliases["guides/tls#errors"] == "default/encryption#problems"
