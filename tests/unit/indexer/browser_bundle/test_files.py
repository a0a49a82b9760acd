"""The files that a browser searches: whole, alike for alike sites, and nothing of what readers may not see."""

import json
from pathlib import Path
from typing import Any

from tests.unit.indexer.builds import LEASE, RETRY, Silence, guide, section

from pincite_core.embedders import FAKE_MODEL
from pincite_indexer.build import BuildOptions, build_index

SECRET = "Nobody may know of the vault."
PAGES = {
    "docs/leases/index.html": guide("Leases", section("length", "Length", LEASE)),
    "docs/retries.html": guide("Retries", section("when", "When", RETRY)),
    "docs/vault.html": guide("Vault", section("vault", "Vault", SECRET), head='<meta name="pincite" content="false">'),
}


def build(site: Path, pages: dict[str, str] = PAGES, *, search: bool = True) -> Path:
    """Build a site and return the folder of its search."""
    for name, text in pages.items():
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_text(text, encoding="utf-8")
    build_index(BuildOptions(site, model=FAKE_MODEL, cache=False, search=search), None, Silence())
    return site / "pincite" / "search"


def read(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def only_scope(folder: Path) -> dict[str, Any]:
    (scope,) = json.loads((folder / "manifest.json").read_bytes())["scopes"]
    assert isinstance(scope, dict)
    return scope


def test_the_manifest_names_every_file_and_no_other(tmp_path: Path) -> None:
    folder = build(tmp_path)
    scope = only_scope(folder)
    named = {*scope["words"], *scope["postings"], *scope["texts"], "manifest.json"}
    assert {file.name for file in folder.iterdir()} == named


def test_sections_have_their_pages_anchors_headings_and_texts(tmp_path: Path) -> None:
    folder = build(tmp_path)
    scope = only_scope(folder)
    words = json.loads((folder / scope["words"][0]).read_bytes())
    assert [(url, title, [row[:2] for row in rows]) for url, title, _, rows in words["pages"]] == [
        ("/docs/leases/", "Leases", [["length", ["Length"]]]),
        ("/docs/retries.html", "Retries", [["when", ["When"]]]),
    ]
    assert [text for file in scope["texts"] for text in json.loads((folder / file).read_bytes())] == [LEASE, RETRY]


def test_a_word_is_found_by_every_spelling_that_the_docs_have(tmp_path: Path) -> None:
    folder = build(tmp_path, {"a.html": guide("A", section("a", "A", "Leases are leased, and a lease is leasing."))})
    words = json.loads((folder / only_scope(folder)["words"][0]).read_bytes())
    lines = {line.split(" ")[0]: line.split(" ")[1:] for line in words["vocabulary"].split("\n")}
    assert lines["leas"] == ["0:e", "0:ed", "0:es", "0:ing"]


def test_a_page_that_is_kept_out_of_the_index_is_in_no_file(tmp_path: Path) -> None:
    assert not [name for name, data in read(build(tmp_path)).items() if b"vault" in data.lower()]


def test_the_same_site_gives_the_same_bytes_and_another_one_other_names(tmp_path: Path) -> None:
    folder = build(tmp_path / "one")
    before = read(folder)
    assert read(build(tmp_path / "one")) == before
    assert read(build(tmp_path / "two")) == before
    changed = read(build(tmp_path / "one", PAGES | {"docs/retries.html": guide("Retries", section("if", "If", LEASE))}))
    assert len(changed) == len(before)  # what was named before is gone
    assert all(before[name] == data for name, data in changed.items() if name in before and name != "manifest.json")


def test_without_the_search_what_an_earlier_build_wrote_goes(tmp_path: Path) -> None:
    build(tmp_path)
    assert not list(build(tmp_path, search=False).glob("*"))


def test_files_beside_the_index_stay_and_the_search_is_still_new(tmp_path: Path) -> None:
    folder = build(tmp_path)
    (folder.parent / "notes.txt").write_text("mine")
    files = set(read(folder))
    after = set(read(build(tmp_path, {"docs/retries.html": guide("Retries", section("if", "If", LEASE))})))
    assert (folder.parent / "notes.txt").read_text() == "mine"
    assert len(after) == len(files)
