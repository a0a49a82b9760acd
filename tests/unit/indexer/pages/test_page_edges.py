"""Boilerplate around the text of a page, and the text that looks like it."""

from pathlib import Path

import pytest
from tests.unit.indexer.one_page import document, read, read_bytes
from tests.unit.indexer.sites import make_site

from pincite_indexer.markdown.page_text import PageText, page_text
from pincite_indexer.rows.assemble import assemble

LAMP = "<h1 id=lamp>Lamp</h1><p>The lamp lasts nine days.</p>"
TEXTS = ["Lamp", "The lamp lasts nine days."]


def texts(content: str) -> list[str]:
    return [piece.text for piece in read(content).draft.pieces]


@pytest.mark.parametrize(
    "edge",
    [
        "<footer><a href=https://git.example/edit>Edit page</a><p>Last updated: <time>Jan 2</time></p></footer>",
        "<footer>© 2026 Lantern Works. All rights reserved.</footer>",
        "<div class=tools><a href=https://git.example/r/edit/main/lamp.md><svg></svg> Improve this page</a></div>",
        "<p><a href=https://git.example/r/edit/main/lamp.md>Edit this page</a></p>",
        "<a rel=edit href=/source>Edit this page</a>",
        "<div><a rel=prev href=/a><span>Previous</span> Kettle</a><a rel=next href=/b>Next Wick</a></div>",
        "<div class='pagination'><a href=/a>« Kettle</a> <a href=/b>Wick »</a></div>",
        "<table><tr><td><a class=prev href=/a>Prev</a></td><td><a href=/b>Next</a></td></table>",
        "<div><p>Was this page helpful?</p><button>Yes</button><button>No</button></div>",
        "<form><p>Was this page helpful?</p><button type=submit>Yes</button></form>",
        "<div class=copy><button>Copy page</button></div>",
        "<footer><a href=//git.example/edit/lamp.md>Edit</a></footer><div class=chat></div><label for=menu></label>",
        "<footer><a rel=edit href=/x>Edit</a></footer><aside><nav id=toc><h3>Here</h3><a href=#a>A</a></nav></aside>",
        "<aside><p>On this page</p><ul><li><a href=#lamp>Lamp</a><li><a href=#wick>Wick and oil</a></ul></aside>",
    ],
)
def test_boilerplate_after_the_text_is_left_out(tmp_path: Path, edge: str) -> None:
    for content in (f"{LAMP}{edge}", f"<article>{LAMP}</article>{edge}", f"<div><div>{LAMP}{edge}</div></div>"):
        assert texts(content) == TEXTS
    (tmp_path / "page.html").write_text(document(LAMP + edge))
    markdown = page_text(tmp_path, PageText("page.html", "/page.html", "/page.html", "Page"))
    assert markdown == "# Lamp\n\nThe lamp lasts nine days.\n"


@pytest.mark.parametrize(
    "edge",
    [
        "<ol class=crumbs><li><a href=/>Home</a><li><a href=/docs>Docs</a><li>Lamp</ol>",
        "<div><a href=/>Docs</a> / <a href=/lights>Lights</a></div>",
        "<div class=actions><button>Copy page</button></div>",
    ],
)
def test_breadcrumbs_and_controls_before_the_title_are_left_out(edge: str) -> None:
    assert texts(f"{edge}<div>{LAMP}</div>") == TEXTS
    assert texts(f"<div>{edge}{LAMP}</div>") == TEXTS


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (
            "<p>See the <a href=/edit/>page on editing</a> for the lamps that can be changed.</p>",
            "See the page on editing",
        ),
        ("<p>Click the <button>Save</button> button.</p>", "Click the Save button."),
        ("<p>Confirm with <button>Save</button></p>", "Confirm with"),
        ("<h2 id=next>Next steps</h2><ul><li><a href=/wick>Change the wick</a></ul>", "- Change the wick"),
        (
            "<h2 id=next>Next</h2><div><a href=/wick>Change the wick</a><a href=/oil>Refill the oil</a></div>",
            "Change the wick",
        ),
        ("<blockquote><p>Good light.</p><footer>A reader</footer></blockquote>", "A reader"),
        ("<div><h3><button aria-expanded=false>How long?</button></h3><div>Nine days.</div></div>", "Nine days."),
        ("<footer><h2 id=notes>Notes</h2><p>The lamp needs oil.</p></footer>", "The lamp needs oil."),
        ("<p>Read in <a href=#lamp>Lamp</a> and <a href=#wick>Wick</a>.</p>", "Read in Lamp"),
        ("<div class=requirements><p>Requires Python 3.10.</p></div>", "Requires Python 3.10."),
    ],
)
def test_text_at_the_end_of_a_page_is_kept(content: str, text: str) -> None:
    assert text in "\n".join(texts(LAMP + content))


def test_a_selection_across_boilerplate_is_still_known() -> None:
    assert "editpage" in read(f"{LAMP}<div><a rel=edit href=/x>Edit page</a></div>").draft.letters


def site_texts(folder: Path, count: int, content: str) -> list[str]:
    """Return the texts of the chunks of a site whose pages all have `content`, with `{}` for the page's number."""
    files = {f"p{number}.html": document(content.replace("{}", str(number))) for number in range(count)}
    return [chunk.text for chunk in assemble(make_site(folder, files)).chunks]


OWN = "<h1>Lamp {}</h1><h2 id=use>Use</h2><p>Lamp {} burns oil.</p>"


@pytest.mark.parametrize(
    "content",
    [
        f"<article>{OWN}</article><div class=feedback><p>Did we help you today?</p></div>",
        f"{OWN}<div class=feedback><p>Did we help you today?</p><input type=radio></div>",
        f"{OWN}<aside>Did we help you today?</aside>",
        f"{OWN}<p><a href=/help>Did we help you today?</a></p>",
        f"<div class=banner>Did we help you today?</div><article>{OWN}</article>",
    ],
)
def test_an_element_around_the_text_of_most_pages_is_left_out_on_small_sites(tmp_path: Path, content: str) -> None:
    assert not any("Did we help" in text for text in site_texts(tmp_path, 3, content))


def test_a_date_does_not_distinguish_elements_around_the_text(tmp_path: Path) -> None:
    content = f"<article>{OWN}</article><div>Last updated: Jan {{}}, 2026</div>"
    assert not any("Last updated" in text for text in site_texts(tmp_path, 3, content))


@pytest.mark.parametrize(
    "content",
    [
        "<h1>Lamp {}</h1><p>Requires Python 3.10 or later.</p><h2 id=use>Use</h2><p>Lamp {} burns oil.</p>",
        f"{OWN}<p>Requires Python 3.10 or later.</p>",
        f"{OWN}<div class=box><p>Requires Python 3.10 or later.</p></div>",
        f"{OWN}<h2 id=needs>Needs</h2><p>Requires Python 3.10 or later.</p>",
        "<header><h1>Lamp {}</h1></header><div><p>Requires Python 3.10 or later.</p><p>Lamp {} burns oil.</p></div>",
    ],
)
def test_a_fact_on_every_page_of_a_small_site_is_kept(tmp_path: Path, content: str) -> None:
    assert sum("Requires Python 3.10" in text for text in site_texts(tmp_path, 3, content)) == 3


@pytest.mark.parametrize(
    "content",
    [
        f"<h1>Lamp {{}}</h1><p>Requires Python 3.10 or later.</p>{OWN}",
        f"{OWN}<h2 id=needs>Needs</h2><div><p>Requires Python 3.10 or later.</p></div>",
    ],
)
def test_a_sentence_in_the_text_of_most_pages_of_a_larger_site_is_kept_once(tmp_path: Path, content: str) -> None:
    assert sum("Requires Python 3.10" in text for text in site_texts(tmp_path, 10, content)) == 1


MENU = "".join(f'<a href="{name}.html">{name}</a> ' for name in ("First", "Second", "Third"))
STEP = '<td><a accesskey="{0}" href="{0}.html">Next</a></td>'


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f'<div class="bar"><a href="/">Lantern</a><ul><li>{MENU}</li></ul></div>', ""),
        ('<div role="banner"><h1><a href="index.html">Lantern</a></h1></div>', '<p role="contentinfo">Made.</p>'),
        (f"<header>Lantern{MENU}</header>", f"<aside>{MENU}</aside>"),
        ('<div role="dialog"><h3 id="d">Search</h3><p>Type.</p></div>', '<div class="footer">Last updated.</div>'),
        (f"<div><h3>Lantern</h3>{MENU}</div>", "<footer><p>Made in 2024.</p></footer>"),
        (f"<table><tr>{STEP.format('p')}<td>Oil</td>{STEP.format('n')}</tr></table>", ""),
    ],
)
def test_what_stands_around_the_content_of_a_page_without_landmarks_is_not_content(before: str, after: str) -> None:
    content = "<div><h1 id=w>Wicks</h1><p>Draws the oil.</p><aside>Trim it.</aside></div>"
    page = read_bytes(f"<!doctype html><html><body>{before}{content}{after}</body></html>".encode())
    assert [piece.text for piece in page.draft.pieces] == ["Wicks", "Draws the oil.", "Trim it."]


def test_links_after_the_title_of_a_page_without_landmarks_are_content() -> None:
    body = f"<body><div><h1>Contents</h1></div><div>{MENU}</div></body>"
    page = read_bytes(f"<!doctype html><html>{body}</html>".encode())
    assert [piece.text for piece in page.draft.pieces] == ["Contents", "First Second Third"]
