"""Broken and hostile pages: read as a browser would where that can be done, named and left out where not."""

import json
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.integration.indexing import FIXTURES, run_index

from pincite_core.index.read import Index
from pincite_core.urls import join_fragment
from pincite_indexer.rows.assemble import assemble
from pincite_indexer.site.resolved_site import resolve_site
from pincite_indexer.site.scan import scan_site

HEAD = b"<!doctype html><title>H</title><main><h1 id=top>Top</h1>"
PAGE = "<!doctype html><html lang=en><title>P</title><main><h1 id=top>{}</h1><p>Some text.</p></main></html>"
BIG = 10_000_000  # bytes; the same pages of a tenth of the size take a tenth of the time


def test_broken_markup_is_indexed_and_loses_no_text(tmp_path: Path) -> None:
    assert run_index(FIXTURES / "broken", "--out", tmp_path).returncode == 0
    index = Index.open(tmp_path)
    text = " ".join([*(chunk.text for chunk in index.chunks()), *(target.title for target in index.targets())])
    for word in ("One", "two", "Three", "four", "five", "Six"):
        assert word in text


def test_links_that_are_no_urls_do_not_keep_a_page_from_being_indexed(tmp_path: Path) -> None:
    hrefs = (
        "http://[::1/x",
        "//[x",
        "http://\u2100.com/",
        "http://a:99999/",
        "&#0;",
        "&#xD800;",
        "[" * 2048,
        "http://",
    )
    links = "".join(f'<a href="{href}">see this</a> ' for href in hrefs)
    head = '<link rel=canonical href="//[x"><base href="http://[::1/">'
    (tmp_path / "index.html").write_text(PAGE.format(f"Home{links}").replace("<title>", f"{head}<title>"))
    (tmp_path / "other.html").write_text(PAGE.format(f"Other</h1><p>{links}</p><a href=/index.html>home</a><h1>"))
    forwarding = '<meta http-equiv=refresh content="0;url=//[x">'
    (tmp_path / "stub.html").write_text(f"<!doctype html><head>{forwarding}<title>Gone</title></head>")
    result = run_index(tmp_path)
    assert result.returncode == 0, result.stderr
    assert {page.title for page in Index.open(tmp_path).pages()} > {"Other"}


def test_a_folder_named_like_a_page_is_no_page(tmp_path: Path) -> None:
    (tmp_path / "x.html").mkdir()
    (tmp_path / "index.html").write_text(PAGE.format("Home"))
    assert run_index(tmp_path).returncode == 0
    assert [page.title for page in Index.open(tmp_path).pages()] == ["Home"]


def test_a_page_that_cannot_be_read_is_named_and_the_others_are_indexed(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(PAGE.format("Home"))
    loop = tmp_path / "loop.html"
    loop.write_text(PAGE.format("Secret"))
    loop.chmod(0)
    if os.access(loop, os.R_OK):  # root reads everything: a file that fails on reading does as well
        loop.unlink()
        loop.symlink_to("/proc/self/mem")
    result = run_index(tmp_path, "--json")
    assert result.returncode == 0
    assert json.loads(result.stdout)["report"]["unreadable"] == ["loop.html"]
    assert "Unreadable" in run_index(tmp_path).stdout


@pytest.mark.parametrize("kind", ["dangling link", "link to itself", "folder", "fifo", "link to a folder above"])
def test_what_is_named_like_a_page_and_is_none_is_passed_over(tmp_path: Path, kind: str) -> None:
    (tmp_path / "index.html").write_text(PAGE.format("Home"))
    odd = tmp_path / "odd.html"
    match kind:
        case "dangling link":
            odd.symlink_to(tmp_path / "nowhere")
        case "link to itself":
            odd.symlink_to(odd)
        case "folder":
            odd.mkdir()
        case "fifo":
            os.mkfifo(odd)
        case _:
            (tmp_path / "up").symlink_to(tmp_path, target_is_directory=True)
    result = run_index(tmp_path)
    assert result.returncode == 0, result.stderr
    assert [page.title for page in Index.open(tmp_path).pages()] == ["Home"]


def hostile_pages() -> dict[str, bytes]:
    deep = 1_000_000
    head = b"<!doctype html><title>H</title><main><h1 id=top>Top</h1>"
    pages = {f"deep-{tag}.html": head + f"<{tag}>".encode() * (deep // (len(tag) + 2)) for tag in ("div", "ul", "b")}
    pages["deep-article.html"] = head + b'<article class="markdown">' * (deep // 26)
    pages["deep-table.html"] = head + b"<table><tr><td>" * (deep // 15)
    pages["deep-details.html"] = head + b"<details><summary>" * (deep // 18)
    pages["links.html"] = head + b"<a href=x>" * (deep // 10)
    pages["bytes.html"] = head + b"<p>\xff\xfe bad \xc3 bytes</p><p>nu\x00ll</p><p>still here</p>"
    pages["ids.html"] = (
        head
        + "".join(
            f'<h2 id="{name}">Heading</h2><p>Text.</p>'
            for name in ("a b", "&quot;q&quot;", "it's", "🎉", "%41", "a#b", "&lt;x&gt;", "x" * 5000)
        ).encode()
    )
    pages["numbers.html"] = (
        head + b"<ol start='\xc2\xb2'><li>x</ol><table><tr><td colspan='9999999999' rowspan='-1'>y</table>"
    )
    pages["urls.html"] = head + b"<link rel=canonical href='http://[x'><p><a href='http://[y'>bad</a> link text</p>"
    return {name: data + b"<p>deep text" for name, data in pages.items()}


def test_hostile_pages_end_no_build_and_those_that_cannot_be_read_whole_are_named(tmp_path: Path) -> None:
    for name, data in hostile_pages().items():
        (tmp_path / name).write_bytes(data)
    result = run_index(tmp_path, "--no-cache", "--json")
    assert result.returncode == 0, result.stderr[-2000:]
    index = Index.open(tmp_path)
    unreadable = set(json.loads(result.stdout)["report"]["unreadable"])
    assert unreadable == {name for name in hostile_pages() if name.startswith("deep-")}
    assert len(index.pages()) == len(hostile_pages()) - len(unreadable)
    for page in index.pages():
        assert "deep text" in " ".join(chunk.text for chunk in index.chunks_of_page(page.page_id)), page.url
    ids = {target.anchor for target in index.targets_of_page(index.page_at("/ids").page_id)}
    assert {"a b", '"q"', "it's", "🎉", "%41", "a#b", "<x>"} <= ids


HUGE_PAGES: dict[str, Callable[[], bytes]] = {
    "word": lambda: b"<p>" + b"x" * BIG,
    "words": lambda: b"<p>" + b"lorem ipsum " * (BIG // 12),
    "line": lambda: b"<pre><code>" + b"x=1;" * (BIG // 4),
    "attribute": lambda: b"<p title='" + b"x y " * (BIG // 4) + b"'>small",
    "id": lambda: b"<h2 id='" + b"x" * BIG + b"'>Small</h2><p>small",
    "heading": lambda: b"<h2 id=a>" + b"word " * (BIG // 5) + b"</h2>" + b"<h3 id=b>B</h3><p>small" * 1000,
    "attributes": lambda: b"<p " + b"".join(b"a%d=1 " % number for number in range(BIG // 9)) + b">lost",
    "nested": lambda: b"<div>" * (BIG // 11) + b"lost" + b"</div>" * (BIG // 11),
}
"""Pages of ten megabytes, each made when it is wanted; one that took quadratic time would take hours."""


@pytest.mark.parametrize("name", HUGE_PAGES)
def test_ten_megabytes_in_one_place_are_read_in_bounded_pieces_or_named(tmp_path: Path, name: str) -> None:
    page = HUGE_PAGES[name]()
    (tmp_path / "index.html").write_bytes(HEAD + page)
    scan = scan_site(tmp_path, ["index.html"], keep_noindex=False, advance=lambda: None)
    rows = assemble(resolve_site(scan, None, (), None))
    if name in {"attributes", "nested"}:
        assert scan.skipped[0].reason.startswith("unreadable (")
        return
    assert scan.skipped == []
    assert max(len(chunk.text) for chunk in rows.chunks) < 5000
    assert max(len(title) for target in rows.targets for title in target.heading_path) < 500
    if name in {"word", "words", "line"}:
        kept = sum(len(re.sub(r"\s|```( …)?", "", chunk.text)) for chunk in rows.chunks)
        assert kept == len(re.sub(rb"\s|<[^>]*>", b"", page))


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig", "utf-8"])
def test_a_page_says_by_its_first_bytes_how_it_is_encoded(tmp_path: Path, encoding: str) -> None:
    text = PAGE.format("Über 漢字")
    (tmp_path / "index.html").write_bytes(text.encode(encoding))
    assert run_index(tmp_path).returncode == 0
    assert [page.title for page in Index.open(tmp_path).pages()] == ["Über 漢字"]


def test_ids_that_nobody_would_choose_are_kept_as_they_are(tmp_path: Path) -> None:
    ids = ["x" * 100_000, "a\tb", "tab\nline", "‮", "é", "%", "?", "&amp", "../..", "\\", "𝕏"]
    headings = "".join(f'<h2 id="{name.replace("&", "&amp;")}">H</h2><p>text</p>' for name in ids)
    (tmp_path / "index.html").write_text(f"<!doctype html><main><h1>T</h1>{headings}<h2 id='nu\0l'>N</h2>text</main>")
    assert run_index(tmp_path).returncode == 0
    index = Index.open(tmp_path)
    found = [target.anchor for target in index.targets()][1:]
    assert found == [*ids, "nul"]
    for anchor in found:
        url = join_fragment("/", anchor)
        assert index.target_at(url).anchor == anchor, url
