"""A section as Markdown, as agents and language models read it."""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.factories import build_index
from tests.unit.indexer.builds import Builds, guide

from pincite_core.index.read import Index
from pincite_core.types import Chunk, Landing, TextLink, Unit
from pincite_indexer.pages.chunking import SectionPart, chunks_of
from pincite_indexer.pages.code.code_blocks import fenced
from pincite_indexer.pages.records import Block
from pincite_indexer.rows.link_graph import link_place
from pincite_server.answering.section_markdown import LinkWriter, MarkdownBlock, join_blocks, section_blocks

CODE = "\n".join(
    f"  const step{number} = await queue.push('job-{number}', {{ delay: {number} }});" for number in range(60)
)
LONG_LINE = "data = " + " ".join(f"value{number}" for number in range(400))
PAGE = f"""
<p>Lantern runs everywhere. See <a href="/queues">the queue guide</a> first.</p>
<p>Call <a href="/queues#push"><code>push()</code></a>, not <code>push_all()</code> or the push of a tap.</p>
<h2 id="code">Code</h2><p>Run this:</p>
<pre><code class="language-js">{CODE}</code></pre><p>Done.</p>
<h2 id="data">Data</h2><pre><code class="language-py">{LONG_LINE}
next = 1</code></pre>
<h2 id="steps">Steps</h2><ol><li><p>Stop it.</p><p>Wait a minute.</p></li><li>Start it.<ul><li>Look.</li></ul></li></ol>
<h2 id="notes">Notes</h2><div class="theme-admonition alert"><div class="admonitionHeading_x">warning</div>
<div class="admonitionContent_x"><p>Stop first.</p><p>Then start.</p></div></div><p>After.</p>
<h2 id="options">Options</h2><p>All options:</p><table><tr><th>Name</th><th>Type</th><th>Meaning</th></tr>
<tr><td><code>size</code></td><td><code>a | b</code></td><td>How much</td></tr>
<tr><td><code>path</code></td><td></td><td>See <a href="/queues#push">pushing</a></td></tr></table>
<table><tr><td>left</td><td>right</td></tr><tr><td>up</td><td>down</td></tr></table>
<h2 id="tabs">Tabs</h2><div class="tabs-container"><ul role="tablist"><li>npm</li><li>Yarn</li></ul>
<div role="tabpanel"><p>Use npm.</p></div><div role="tabpanel"><p>Use Yarn.</p></div></div><p>Behind the tabs.</p>
"""
QUEUES = '<p>All of them.</p><h2 id="push">Push</h2><p>Adds a job.</p>'


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    pages = {"install/index.html": guide("Install", PAGE), "queues/index.html": guide("Queues", QUEUES)}
    return Builds(tmp_path_factory.mktemp("site")).add(pages)


def read(index: Index, anchor: str = "", *, links: bool = False) -> list[MarkdownBlock]:
    target = index.target_at(f"/install/#{anchor}" if anchor else "/install/")
    assert target is not None

    def link(one: TextLink, words: str) -> str:
        return f"[{words}]({one.to if isinstance(one.to, str) else index.target(one.to).anchor or 'page'})"

    return blocks_of(index, index.chunks_of_target(target.target_id), link if links else None)


def blocks_of(index: Index, chunks: Sequence[Chunk], link: LinkWriter | None = None) -> list[MarkdownBlock]:
    return section_blocks(chunks, index.units_of_chunks(chunk.chunk_id for chunk in chunks), link)


def text(index: Index, anchor: str = "", *, links: bool = False) -> str:
    return join_blocks(read(index, anchor, links=links))


def test_code_that_was_split_is_one_block_byte_for_byte(index: Index):
    assert text(index, "code") == f"Run this:\n\n```js\n{CODE}\n```\n\nDone."
    assert len(read(index, "code")[1].units) > 1


def test_a_line_that_was_too_long_for_a_chunk_is_one_line_again(index: Index):
    assert text(index, "data") == f"```py\n{LONG_LINE}\nnext = 1\n```"


def test_code_whose_beginning_is_missing_has_no_mark_of_it(index: Index):
    target = index.target_at("/install/#code")
    assert target is not None
    block = blocks_of(index, index.chunks_of_target(target.target_id)[1:])[0]
    assert block.text.startswith("```js\n  const step")


def test_items_keep_their_marks_and_their_further_paragraphs_stand_below_them(index: Index):
    assert text(index, "steps") == "1. Stop it.\n\n   Wait a minute.\n\n2. Start it.\n  - Look."


def test_an_admonition_is_one_quotation_with_its_label(index: Index):
    assert text(index, "notes") == "> **warning**\n>\n> Stop first.\n>\n> Then start.\n\nAfter."
    assert [len(block.units) for block in read(index, "notes")] == [2, 1]


def test_two_admonitions_are_two_quotations(tmp_path: Path):
    page = "# Notes\n> **Note**\n\n> One.\n\n> **Warning**\n\n> Two."
    built = build_index(tmp_path, {"/notes": page})
    assert [block.text for block in blocks_of(built, built.chunks())] == [
        "> **Note**\n>\n> One.",
        "> **Warning**\n>\n> Two.",
    ]


def test_rows_are_a_table_and_rows_without_columns_stay_as_they_are(index: Index):
    assert [block.text for block in read(index, "options")] == [
        "All options:",
        "| Name | Type | Meaning |\n| --- | --- | --- |\n"
        "| `size` | `a \\| b` | How much |\n| `path` |  | See pushing |",
        "left; right",
        "up; down",
    ]
    assert [len(block.units) for block in read(index, "options")] == [1, 2, 1, 1]


def test_two_tables_with_other_columns_are_two(tmp_path: Path):
    rows = "| Name: a; Type: b |\n| Name: c; Type: d |\n| Code: 1; Cause: x |\n| Code: 2; Cause: y |"
    built = build_index(tmp_path, {"/tables": f"# Tables\n{rows}"})
    heads = [block.text.partition("\n")[0] for block in blocks_of(built, built.chunks())]
    assert heads == ["| Name | Type |", "| Code | Cause |"]


def test_a_tab_is_named_before_what_it_holds_and_its_end_vanishes(index: Index):
    assert text(index, "tabs") == "**npm** (tab)\n\nUse npm.\n\n**Yarn** (tab)\n\nUse Yarn.\n\nBehind the tabs."


def test_a_label_stays(tmp_path: Path):
    built = build_index(tmp_path, {"/config": "# Config\n**app.js**\n\n```js\nrun()\n```"})
    assert join_blocks(blocks_of(built, built.chunks())) == "**app.js**\n\n```js\nrun()\n```"


def test_a_link_stands_where_its_words_first_stand_whole(index: Index):
    assert text(index, links=True) == (
        "Lantern runs everywhere. See [the queue guide](page) first.\n\n"
        "Call [`push()`](push), not `push_all()` or the push of a tap."
    )


def test_a_link_in_a_table_stands_in_its_cell(index: Index):
    assert "| `path` |  | See [pushing](push) |" in text(index, "options", links=True)


@pytest.mark.parametrize(
    ("sentence", "linked"),
    [
        ("Restart before you start.", "Restart before you [start](X)."),
        ("Run `start now` or start.", "Run `start now` or [start](X)."),
        ("Run `start now`.", "Run `start now`."),
        ("先にstartする。", "先に[start](X)する。"),
    ],
)
def test_only_whole_words_outside_code_carry_a_link(tmp_path: Path, sentence: str, linked: str):
    pages = {"/start": "# Start\nHow to.", "/guide": f"# Guide\n{sentence}\n\n[start](/start)"}
    built = build_index(tmp_path, pages)
    chunk = next(chunk for chunk in built.chunks() if sentence in chunk.text)
    assert blocks_of(built, [chunk], lambda _, words: f"[{words}](X)")[0].text == linked


def test_a_word_that_carries_two_links_carries_them_in_turn(tmp_path: Path):
    links = "[here](/one)\n\n[here](/two)"
    pages = {"/one": "# One\nA.", "/two": "# Two\nB.", "/guide": f"# Guide\nLook here. Or here.\n\n{links}"}
    built = build_index(tmp_path, pages)
    chunk = next(chunk for chunk in built.chunks() if "Look" in chunk.text)
    page: dict[int | str, str] = {target.target_id: target.title for target in built.targets()}
    found = blocks_of(built, [chunk], lambda link, words: f"[{words}]({page[link.to]})")
    assert found[0].text == "Look [here](One). Or [here](Two)."


def test_links_within_the_site_and_to_others_take_turns_in_the_order_of_the_page(tmp_path: Path):
    html = (
        '<p>Look <a href="https://one.example/a_(b)">here</a>, <a href="/queues">here</a> and '
        '<a href="http://two.example">here</a>, not <a href="mailto:a@b.example">here</a>.</p>'
    )
    built = Builds(tmp_path).add({"a/index.html": guide("A", html), "queues/index.html": guide("Queues", QUEUES)})
    chunks = built.chunks_of_page(1)

    def write(link: TextLink, words: str) -> str:
        return f"[{words}]({link.to if isinstance(link.to, str) else 'queues'})"

    assert join_blocks(blocks_of(built, chunks, write)) == (
        "Look [here](https://one.example/a_(b)), [here](queues) and [here](http://two.example), not here."
    )


WORDS = st.lists(st.sampled_from("cache server `a.b` v1.2 restart. Run! 日本語。 Name: x; y | z".split()), min_size=1)
PROSE = st.builds(lambda words, times: " ".join(words * times), WORDS, st.integers(1, 20))
ROW = st.builds("Name: {}; Meaning: {}".format, PROSE, PROSE) | PROSE
LINES = st.lists(st.text("ab `{\t", max_size=30).map(str.rstrip), min_size=1, max_size=6)
LISTING = st.builds(lambda lines, times: fenced("\n".join([*lines, "end"] * times), "js"), LINES, st.integers(1, 40))
LANDING = st.sampled_from([(), (Landing("tab", "npm"),), (Landing("tab", "Yarn"),)])


def block(kind: str, words: st.SearchStrategy[str]) -> st.SearchStrategy[Block]:
    note = st.just(False) if kind == "code" else st.booleans()
    return st.builds(Block, st.just(kind), words, st.just(""), LANDING, st.just(()), note)


BLOCKS = st.lists(
    st.one_of(
        *(block(kind, PROSE) for kind in ("prose", "term", "heading")),
        block("item", st.sampled_from(["- {}", "  2. {}", "{}"]).flatmap(lambda mark: PROSE.map(mark.format))),
        block("row", ROW),
        block("code", LISTING),
    ),
    max_size=8,
)


def rows(blocks: Sequence[Block]) -> tuple[list[Chunk], list[Unit]]:
    """Return the rows of a section."""
    parts = tuple(SectionPart(one, 0, ("Page",)) for one in blocks)
    chunks, units = list[Chunk](), list[Unit]()
    for ordinal, draft in enumerate(chunks_of(("Page",), parts, "en")):
        chunks.append(Chunk(ordinal + 1, 1, 1, 1, ordinal, draft.text, 1))
        units.extend(
            Unit(
                len(units) + at,
                ordinal + 1,
                1,
                1,
                one.start,
                one.end,
                one.kind,
                0,
                one.layout.number,
                one.mark,
                one.layout.labels,
                one.admonition,
                one.layout.tab,
                one.layout.first_tab,
                one.role,
                one.facts,
                one.cells,
                links=_linked(draft.text[one.start : one.end]) if one.kind != "code" else (),
            )
            for at, one in enumerate(draft.units, start=1)
        )
    return chunks, units


def _linked(text: str) -> tuple[TextLink, ...]:
    place = link_place(text, "cache server", ())
    return (TextLink(*place, 2),) if place else ()


def plain(markdown: str) -> str:
    """Return a text without what Markdown adds: indents, quotation marks, bold type, links."""
    return re.sub(r"\s|^>|\[|\]\(URL\)|\*\*|\\", "", markdown, flags=re.MULTILINE)


@given(BLOCKS, st.booleans())
def test_nothing_is_lost_and_each_unit_is_in_one_block(blocks: list[Block], linked: bool):
    chunks, units = rows(blocks)
    found = section_blocks(chunks, units, (lambda _, words: f"[{words}](URL)") if linked else None)
    assert [(unit.chunk.chunk_id, unit.start) for one in found for unit in one.units] == [
        (unit.chunk_id, unit.start) for unit in units
    ]
    for one in found:
        for unit in one.units:
            lines = unit.text.split("\n")[1:-1] if unit.kind == "code" else [unit.text]
            words = "".join(lines) if unit.kind != "row" else ""
            assert plain(words) in plain(one.text)
    last = max((at for at, part in enumerate(blocks) if part.kind != "heading"), default=0)
    labels = [part.text for part in blocks[:last] if part.kind == "heading"]  # a label without content is left out
    assert [label for label in labels if plain(label) not in plain(join_blocks(found))] == []
    assert not re.search(r"^===|^`{3,}.* …$", join_blocks(found), re.MULTILINE)


@given(st.lists(ROW.map(lambda text: Block("row", text, "", ())), min_size=1, max_size=6))
def test_no_word_of_a_row_is_lost(blocks: list[Block]):
    found = "".join(one.text for one in section_blocks(*rows(blocks)))
    for one in blocks:
        for part in re.split(r"; |Name: |Meaning: | ", one.text):
            assert plain(part) in plain(found)


@given(LISTING)
def test_code_is_whole_however_it_was_split(code: str):
    assert [one.text for one in section_blocks(*rows([Block("code", code, "", ())]))] == [code]


@given(BLOCKS, st.data())
def test_only_the_given_units_are_shown(blocks: list[Block], data: st.DataObject):
    chunks, units = rows(blocks)
    kept = units[: data.draw(st.integers(0, len(units)))]
    found = section_blocks(chunks, kept)
    assert [unit.unit for one in found for unit in one.units] == kept
