"""A content is read once for all pages that repeat it, and what differs between them is each page's own."""

from pathlib import Path

import pytest
from tests.unit.indexer.one_page import document

from pincite_indexer.pages import content
from pincite_indexer.pages.page_draft import PageDraft
from pincite_indexer.pages.read_page import read_page

PAGE = '<h1 id="top">Leases</h1><p>See <a href="/{0}/jobs">jobs</a> and <a href="#top">the top</a>.</p>'


def read_all(folder: Path, *bodies: str) -> list[PageDraft]:
    drafts = []
    for number, body in enumerate(bodies):
        (folder / f"{number}.html").write_text(document(body), encoding="utf-8")
        drafts.append(read_page(folder, f"{number}.html"))
    return drafts


@pytest.fixture
def extracted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Start with nothing remembered, and count how often a content is extracted."""
    counted: list[int] = []
    extract = content.extract
    monkeypatch.setattr("pincite_indexer.pages.read_page._CONTENTS", content.ContentReader())
    monkeypatch.setattr(content, "extract", lambda root: counted.append(1) or extract(root))
    return counted


def test_a_page_of_another_version_is_extracted_once_and_keeps_its_own_links(
    tmp_path: Path, extracted: list[int]
) -> None:
    one, other = read_all(tmp_path, PAGE.format("1.0"), PAGE.format("2.0"))
    assert extracted == [1]
    assert one.pieces is other.pieces
    assert one.cut is other.cut
    assert [link.href for link in one.links] == ["/1.0/jobs", "#top"]
    assert [link.href for link in other.links] == ["/2.0/jobs", "#top"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("<p>Wait one second.</p>", "<p>Wait two seconds.</p>"),
        ('<pre>&lt;a href="/one"&gt;</pre>', '<pre>&lt;a href="/two"&gt;</pre>'),  # shown, not linked
        ('<p id="one">Wait.</p>', '<p id="two">Wait.</p>'),
        ('<h2>A<a href="#a">#</a><b id="a"></b></h2>', '<h2>A<a href="#b">#</a><b id="a"></b></h2>'),
        ('<p><a href="/one">Jobs</a></p>', '<p><a href="">Jobs</a></p>'),
    ],
)
def test_contents_that_differ_in_anything_but_where_links_lead_are_told_apart(
    tmp_path: Path, extracted: list[int], before: str, after: str
) -> None:
    one, other = read_all(tmp_path, before, after)
    assert extracted == [1, 1]
    assert (one.pieces, one.links) != (other.pieces, other.links)


def test_no_more_contents_are_remembered_than_copies_of_a_page_may_need(tmp_path: Path) -> None:
    reader = content.ContentReader()
    for number in range(content._REMEMBERED * 2):
        tree = content.etree.fromstring(f"<main><p>Text {number}</p></main>", content.etree.HTMLParser())
        reader.read(tree, "page.html", content.Facts())
    assert len(reader._known) == content._REMEMBERED
