"""What holds for any page: no text is lost on its way from HTML to chunks, and every row is what it says."""

import html
import re
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.indexer.one_page import document
from tests.unit.indexer.sites import docs_page, make_site

from pincite_core.units import estimate_tokens
from pincite_core.urls import candidate_files, encode_path
from pincite_indexer.pages.chunking import MAX_TOKENS
from pincite_indexer.rows.assemble import Rows, assemble

pytestmark = pytest.mark.slow

LONGEST = 2000  # characters of one sentence, row or line of code
WORDS = st.lists(
    st.one_of(
        st.text("abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=9),
        st.sampled_from(["End.", "Why?", "e.g.", "v1.2", "日本語。", "a<b>&c", "naïve", "-", "4.", "🎉", "x" * 3000]),
    ),
    min_size=1,
    max_size=30,
)
TEXT = WORDS.map(" ".join)
ID = st.one_of(st.just(""), st.sampled_from(["a", "b", "top", 'q"x', "a b", "é", "%41", "🎉"]))


def element(tag: str, text: str, anchor: str = "") -> str:
    mark = f' id="{html.escape(anchor)}"' if anchor else ""
    return f"<{tag}{mark}>{html.escape(text)}</{tag}>"


def rows_of(cells: list[tuple[str, str, str]]) -> str:
    body = "".join(
        f'<tr{f""" id="{html.escape(anchor)}" """ if anchor else ""}>{element("td", one)}{element("td", two)}</tr>'
        for anchor, one, two in cells
    )
    return f"<table><tr><th>Name</th><th>Use</th></tr>{body}</table>"


LEAF: st.SearchStrategy[str] = st.one_of(
    st.builds(element, st.sampled_from(["h2", "h3", "h4"]), TEXT, ID),
    st.builds(element, st.sampled_from(["p", "p", "blockquote", "div", "pre"]), TEXT, ID),
    st.lists(st.builds(element, st.just("li"), TEXT, ID), min_size=1, max_size=4)
    .map("".join)
    .map("<ul>{}</ul>".format),
    st.builds(
        lambda term, text: f"<dl>{term}{element('dd', text)}</dl>", st.builds(element, st.just("dt"), TEXT, ID), TEXT
    ),
    st.lists(st.tuples(ID, TEXT, TEXT), min_size=1, max_size=4).map(rows_of),
    st.builds(lambda text, code: f"<p>{html.escape(text)} <code>{html.escape(code)}</code></p>", TEXT, TEXT),
)
NESTING: list[Callable[[str], str]] = [
    "<div>{}</div>".format,
    "<details><summary>More</summary>{}</details>".format,
    "<section id='inner'>{}</section>".format,
]
CONTENT = st.recursive(LEAF, lambda inner: st.builds(lambda wrap, text: wrap(text), st.sampled_from(NESTING), inner))
PAGE = st.lists(CONTENT, min_size=1, max_size=8).map("".join)


def rows(files: dict[str, str]) -> Rows:
    with TemporaryDirectory() as folder:
        return assemble(make_site(Path(folder), files))


def letters(text: str) -> str:
    """Return what must not be lost, in order: neither blanks nor the marks of labels, lists, rows and code."""
    return re.sub(r"[\s`;:*>…-]|```", "", text)


@settings(max_examples=60, deadline=None)
@given(PAGE)
def test_no_text_of_a_page_is_lost_or_torn_apart(content: str) -> None:
    made = rows({"index.html": document(f"<h1>Page</h1>{content}")})
    found = letters(" ".join([*(chunk.text for chunk in made.chunks), *(target.title for target in made.targets)]))
    for text in re.findall(r">([^<]+)<", content):
        assert letters(html.unescape(text)) in found, text


@settings(max_examples=60, deadline=None)
@given(PAGE)
def test_every_sentence_is_a_span_of_its_chunk_and_every_chunk_within_the_limit(content: str) -> None:
    made = rows({"index.html": document(f"<h1>Page</h1>{content}")})
    chunks = {chunk.chunk_id: chunk for chunk in made.chunks}
    for unit in made.units:
        text = chunks[unit.chunk_id].text
        assert 0 <= unit.start < unit.end <= len(text)
        assert text[unit.start : unit.end] == text[unit.start : unit.end].strip() or unit.kind == "code"
    for chunk in made.chunks:
        if estimate_tokens(chunk.text) > MAX_TOKENS:
            assert len(chunk.text) <= LONGEST + len("``` …\n\n```"), "one unit that cannot be split"
            assert "\n\n" not in chunk.text


@settings(max_examples=40, deadline=None)
@given(PAGE, PAGE, st.sampled_from(["en", "fr"]))
def test_an_id_names_one_target_in_each_locale_and_version(one: str, other: str, locale: str) -> None:
    made = rows(
        {
            "docs/a/index.html": docs_page(f"<h1>A</h1>{one}", "a", version="1"),
            "docs/b/a/index.html": docs_page(f"<h1>A</h1>{other}", "b/a", version="1"),
            "docs/2/a/index.html": docs_page(f"<h1>A</h1>{one}", "a", version="2"),
            "fr/docs/a/index.html": docs_page(f"<h1>A</h1>{one}", "a", version="1", locale=locale),
        }
    )
    scope = {page.page_id: page.scope_id for page in made.pages}
    named = [(scope[target.page_id], target.stable_id) for target in made.targets]
    assert len(set(named)) == len(named)
    anchors = [(target.page_id, target.anchor) for target in made.targets]
    assert len(set(anchors)) == len(anchors)


STEP = st.text("abcé日 .%+#?", min_size=1, max_size=6).filter(lambda name: name.strip(". ") == name)


@settings(max_examples=40, deadline=None)
@given(
    names=st.lists(st.lists(STEP, min_size=1, max_size=3), min_size=1, max_size=5),
    base=st.sampled_from(["/", "/kit/", "/a/b/"]),
    locale=st.sampled_from(["", "fr/"]),
    spelling=st.sampled_from(["folder/", "folder", ".html", "file"]),
)
def test_a_pages_url_leads_back_to_its_file(names: list[list[str]], base: str, locale: str, spelling: str) -> None:
    end = "/index.html" if spelling.startswith("folder") else ".html"
    shown = {"folder/": "/", "folder": "", ".html": ".html", "file": ""}[spelling]
    files = {}
    for name in map("/".join, names):
        url = f"https://x.example{base}{locale}{encode_path(name)}{shown}"
        files[f"{locale}{name}{end}"] = document("<h1>T</h1>text", f'<link rel="canonical" href="{url}">')
    with TemporaryDirectory() as folder:
        site = make_site(Path(folder), files)
        for page in site.pages:
            assert (
                page.url == base + locale + encode_path(page.draft.file.removeprefix(locale).removesuffix(end)) + shown
            )
            found = [file for file in candidate_files(page.url, base) if (Path(folder) / file).is_file()]
            assert found == [page.draft.file]
    assert len(site.pages) == len(files)
