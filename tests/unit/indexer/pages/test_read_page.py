"""A content is read once for all pages that repeat it, and each page is what it is when read whole."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.unit.indexer.one_page import document
from tests.unit.indexer.pages.test_page_properties import PAGE

from pincite_indexer.pages import read_page as reading
from pincite_indexer.pages.page_draft import PageDraft
from pincite_indexer.pages.read_page import read_page

LEASES = '<h1 id="top">Leases</h1><p>See <a href="/{0}/jobs">jobs</a> and <a href="#top">the top</a>.</p>'
HEAD = '<title>Leases | Harbor</title><link rel="canonical" href="https://docs.example/{}">'
SHARED, WHOLE = "theme-doc-markdown markdown", "markdown theme-doc-markdown"
"""The classes of Docusaurus's content; and in an order that it is not known by, so that the page is read whole."""

MENU = '<aside class="theme-doc-sidebar-container"><nav class="menu"><a href="/jobs">Jobs</a></nav></aside>'
FOOTER = '<footer class="theme-doc-footer-tags-row"><a rel="tag">Queues</a></footer>'


def page(body: str, name: str = SHARED, menu: str = MENU, head: str = HEAD) -> str:
    return document(f'{menu}<article><div class="{name}">{body}</div>{FOOTER}</article>', head.format("0.html"))


def read_all(folder: Path, *pages: str) -> list[PageDraft]:
    drafts = []
    for number, text in enumerate(pages):
        (folder / f"{number}.html").write_text(text, encoding="utf-8")
        drafts.append(read_page(folder, f"{number}.html"))
    return drafts


def read_both(body: str, menu: str = MENU, head: str = HEAD) -> tuple[PageDraft, PageDraft]:
    """Return a page read by its parts and the same page read whole."""
    with TemporaryDirectory() as folder:
        (shared,) = read_all(Path(folder), page(body, SHARED, menu, head))
        (whole,) = read_all(Path(folder), page(body, WHOLE, menu, head))
    return shared, whole


@pytest.fixture
def extracted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Start with nothing remembered, and count how often a content is extracted."""
    counted: list[int] = []
    extract = reading.extract
    monkeypatch.setattr(reading, "_CONTENTS", reading.ContentCache())
    monkeypatch.setattr(reading, "extract", lambda root: counted.append(1) or extract(root))
    return counted


def test_a_page_of_another_version_is_extracted_once_and_keeps_its_own_links(
    tmp_path: Path, extracted: list[int]
) -> None:
    one, other = read_all(tmp_path, page(LEASES.format("1.0")), page(LEASES.format("2.0&amp;3")))
    assert extracted == [1]
    assert one.pieces is other.pieces
    assert one.cut is other.cut
    assert [link.href for link in one.links] == ["/1.0/jobs", "#top"]
    assert [link.href for link in other.links] == ["/2.0&3/jobs", "#top"]


def test_a_translated_page_is_extracted_once_if_only_permalink_titles_differ(
    tmp_path: Path, extracted: list[int]
) -> None:
    permalink = '<h2 id="use">Use<a href="#use" class="hash-link" aria-label="{0}" title="{0}">#</a></h2><p>Wait.</p>'
    one, other = read_all(tmp_path, page(permalink.format("Direct link to Use")), page(permalink.format("链接")))
    assert extracted == [1]
    assert one.pieces is other.pieces


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("<p>Wait one second.</p>", "<p>Wait two seconds.</p>"),
        ('<pre>&lt;a href="/one"&gt;</pre>', '<pre>&lt;a href="/two"&gt;</pre>'),  # shown, not linked
        ('<p id="one">Wait.</p>', '<p id="two">Wait.</p>'),
        ('<h2>A<a href="#a">link</a><b id="a"></b></h2>', '<h2>A<a href="#b">link</a><b id="a"></b></h2>'),
        ('<p><a href="/one">Jobs</a></p>', '<p><a href="">Jobs</a></p>'),
        ("<p><a href=/one>Jobs</a></p>", "<p><a href=/one id=a>Jobs</a></p>"),
    ],
)
def test_contents_that_differ_in_more_than_link_targets_are_extracted_separately(
    tmp_path: Path, extracted: list[int], before: str, after: str
) -> None:
    one, other = read_all(tmp_path, page(before), page(after))
    assert extracted == [1, 1]
    assert (one.pieces, one.links, one.ids) != (other.pieces, other.links, other.ids)


def test_the_content_cache_is_bounded() -> None:
    cache = reading.ContentCache()
    for number in range(reading._CACHED * 2):
        assert cache.read(f"<p>Text {number}</p>".encode())
    assert len(cache._known) == reading._CACHED


@settings(max_examples=60, deadline=None)
@given(PAGE)
def test_a_page_read_in_parts_equals_the_page_read_as_a_whole(body: str) -> None:
    shared, whole = read_both(f"<h1>Page</h1>{body}")
    assert shared == whole


TAGS = """
<div>|</div>|<div title=' '>|<p>|</p>|<b>|</b>|<li>|<ul>|</ul>|<table>|<tr>|<td>|</table>|<dl>|<dt id=t>|<dd>
<pre>|</pre>|<a>|</a>|<a href=/x>|<a href='/y'>|<a href="/z&amp;#a">|<a href="/é" title="<a href=/q>">
<a name=n>|<a name=m></a>|<h2>|<h2 id=a>|</h2>|<br>|<details>|<summary>|</details>|<code>|</code>|<svg>|<g id=a>|</svg>
<section id=s>|</section>|<img alt="<div>">|<!--|-->|<script>|</script>|<iframe>|</main>|</body>|<form>
<select>|<button>|</button>|&lt;div&gt;|&amp;|<|>|"|'|One.|Two.|é
"""
MARKUP = st.lists(st.sampled_from(TAGS.strip().replace("\n", "|").split("|")), max_size=14).map(" ".join)


@settings(max_examples=300, deadline=None)
@given(MARKUP)
@example("<!-- <div> -->One.")
@example("<!-- >")
@example("<img alt='</div>'>One.")
def test_invalid_html_read_in_parts_equals_the_page_read_as_a_whole(body: str) -> None:
    shared, whole = read_both(body)
    assert shared == whole


@pytest.mark.parametrize(
    "menu",
    [
        "",
        MENU.replace("<a ", '<a id="jobs" '),
        MENU.replace("</nav>", "</nav><aside>More</aside>"),
        f"{MENU}<p id=after>",
    ],
)
def test_ids_outside_the_content_belong_to_the_page(menu: str) -> None:
    shared, whole = read_both('<p id="jobs">One.</p>', menu)
    assert shared == whole


def test_a_page_without_a_canonical_link_is_read_as_a_whole() -> None:
    shared, whole = read_both('<p><a href="/base/0.html">Here</a></p>', head="<title>Leases</title>")
    assert shared == whole
