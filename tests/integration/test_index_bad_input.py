"""Bad input: one clear sentence, a non-zero exit, and an index that was there before is untouched."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest
from tests.integration.indexing import assert_refused, contents, copy_site, run_index

from pincite_core.index.read import Index


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    site = copy_site("plain", tmp_path_factory.mktemp("indexed"))
    assert run_index(site).returncode == 0
    return site


@pytest.fixture
def site(indexed: Path, tmp_path: Path) -> Path:
    """A site with an index in it."""
    return Path(shutil.copytree(indexed, tmp_path / "plain"))


def empty_pages(site: Path) -> tuple[str, ...]:
    for file in site.rglob("*.html"):
        file.write_text("<!doctype html><html><body><main></main></body></html>")
    return ()


def no_html(site: Path) -> tuple[str, ...]:
    for file in site.rglob("*.html"):
        file.unlink()
    return ()


def all_noindex(site: Path) -> tuple[str, ...]:
    for file in site.rglob("*.html"):
        file.write_text(file.read_text().replace("<head>", "<head><meta name=robots content=noindex>"))
    return ()


def bad_manifest(site: Path) -> tuple[str, ...]:
    (site.parent / "manifest.json").write_text('{"manifest_version": 99}')
    return ("--manifest", str(site.parent / "manifest.json"))


def no_manifest(site: Path) -> tuple[str, ...]:
    (site.parent / "manifest.json").write_text("<!doctype html>")
    return ("--manifest", str(site.parent / "manifest.json"))


def duplicate_ids(site: Path) -> tuple[str, ...]:
    pages = [
        {"route": route, "html": html, "front_matter": {"module_id": "kit", "chapter_id": "one"}, "source": source}
        for route, html, source in (("/", "index.html", "a.md"), ("/guide/page", "guide/page.html", "b.md"))
    ]
    (site.parent / "manifest.json").write_text(json.dumps({"manifest_version": 1, "pages": pages}))
    return ("--manifest", str(site.parent / "manifest.json"))


@pytest.mark.parametrize(
    ("spoil", "parts", "code"),
    [
        (no_html, ("contains no HTML", "Build the site first"), 2),
        (empty_pages, ("could be indexed", "--allow-empty"), 1),
        (all_noindex, ("2 pages have noindex", "--noindex include"), 1),
        (bad_manifest, ("version 99", "Update"), 2),
        (no_manifest, ("manifest", "cannot be used"), 2),
        (duplicate_ids, ("'kit/one'", "a.md and b.md", "chapter_id"), 1),
    ],
)
def test_a_site_that_cannot_be_indexed_is_one_sentence_and_leaves_the_index(
    site: Path, spoil: Callable[[Path], tuple[str, ...]], parts: tuple[str, ...], code: int
) -> None:
    before = contents(site / "pincite")
    options = spoil(site)
    assert_refused(run_index(site, *options), *parts, code=code)
    assert contents(site / "pincite") == before


@pytest.mark.parametrize("model", ["no-such-org/no-such-model", "folder"])
def test_a_missing_model_is_one_sentence_and_leaves_the_index(site: Path, model: str) -> None:
    before = contents(site / "pincite")
    name = str(site / "guide") if model == "folder" else model
    assert_refused(run_index(site, model=name), "--model", name, code=1)
    assert contents(site / "pincite") == before


def test_a_folder_that_does_not_exist_is_one_sentence(tmp_path: Path) -> None:
    assert_refused(run_index(tmp_path / "nowhere"), "is not a folder", code=2)


def test_a_site_url_that_is_no_address_is_one_sentence(site: Path) -> None:
    assert_refused(run_index(site, "--site-url", "docs.example.com"), "is not a web address", code=2)


def test_an_output_that_is_a_file_is_one_sentence(site: Path) -> None:
    assert_refused(run_index(site, "--out", site / "index.html"), "Could not make the folder", "--out", code=1)


def test_an_empty_index_is_written_when_allowed(site: Path) -> None:
    empty_pages(site)
    assert run_index(site, "--allow-empty").returncode == 0
    assert Index.open(site).chunks() == []


@pytest.mark.parametrize(
    ("spoil", "part"),
    [
        (lambda file: os.truncate(file, file.stat().st_size // 2), "no usable index"),
        (lambda file: apsw.Connection(str(file)).execute("PRAGMA user_version=99"), "has index format 99"),
        (lambda file: file.unlink(), "There is no index"),
    ],
    ids=["truncated", "unknown-format", "gone"],
)
def test_an_unusable_index_is_one_sentence(site: Path, spoil: Callable[[Path], object], part: str) -> None:
    spoil(site / "pincite/index.db")
    code = "from pincite_core.cli import main; main()"
    command = [sys.executable, "-c", code, "inspect", str(site)]
    assert_refused(subprocess.run(command, capture_output=True, text=True), part)


def test_an_unusable_index_is_replaced_by_the_next_build(site: Path) -> None:
    os.truncate(site / "pincite/index.db", 100)
    assert run_index(site).returncode == 0
    assert len(Index.open(site).pages()) == 2
