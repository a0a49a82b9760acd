"""Sections to chunks: nothing lost, nothing cut where it must not be."""

import re

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.marked_units import marked_units

from pincite_core.quoting.unit_text import row_text
from pincite_core.types import Chunk, Landing, Unit, fact_bits
from pincite_core.units import estimate_tokens, split_sentences
from pincite_indexer.pages.chunking import (
    MAX_TOKENS,
    ChunkDraft,
    SectionPart,
    UnitDraft,
    chunks_of,
    embedded_text,
    unit_text,
)
from pincite_indexer.pages.code.code_blocks import fenced
from pincite_indexer.pages.records import Block

WORDS = st.lists(
    st.sampled_from("cache server the `a.b` v1.2 restart. Run! 日本語。 e.g. it? configuration".split()), min_size=1
)
PROSE = st.builds(lambda words, times: " ".join(words * times), WORDS, st.integers(1, 30))
CODE = st.builds(
    lambda lines, times: fenced("\n".join(lines * times), "js"),
    st.lists(st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=30), min_size=1, max_size=8),
    st.integers(1, 20),
)
BLOCKS = st.lists(
    st.one_of(
        st.builds(Block, st.sampled_from(["prose", "row", "term", "heading"]), PROSE, st.just(""), st.just(())),
        st.builds(Block, st.just("item"), PROSE.map("- {}".format), st.just(""), st.just(())),
        st.builds(Block, st.just("code"), CODE, st.just(""), st.just(())),
    ),
    max_size=6,
)


def chunk(*blocks: Block, language: str = "en") -> tuple[ChunkDraft, ...]:
    path = ("Page", "A")
    return chunks_of(path, tuple(SectionPart(block, 0, path) for block in blocks), language)


def prose(text: str, *landing: Landing) -> Block:
    return Block("prose", text, "", landing)


def letters(text: str) -> str:
    """Return a text without its blanks, fences and marks: what must not be lost."""
    return re.sub(r"\s|```+(?:js)?|…|^\*\*|\*\*$", "", text, flags=re.MULTILINE)


@given(BLOCKS)
def test_no_text_is_lost_between_blocks_and_chunks(blocks: list[Block]) -> None:
    chunks = chunk(*blocks)
    assert letters("\n".join(item.text for item in chunks)) == letters("\n".join(block.text for block in blocks))


@given(BLOCKS)
def test_sentences_are_spans_of_their_chunk_in_order(blocks: list[Block]) -> None:
    for item in chunk(*blocks):
        end = 0
        for unit in item.units:
            assert end <= unit.start < unit.end <= len(item.text)
            assert item.text[unit.start : unit.end].strip()
            end = unit.end


@given(BLOCKS)
def test_a_chunk_is_within_the_limit_unless_one_unit_alone_is_not(blocks: list[Block]) -> None:
    for item in chunk(*blocks):
        if estimate_tokens(item.text) > MAX_TOKENS:
            single_line = item.text.startswith("```") and item.text.count("\n") == 2
            assert single_line or len(split_sentences(item.text)) == 1 or "\n\n" not in item.text
            assert len(item.units) <= 1


@given(CODE)
def test_code_is_cut_between_lines_and_every_part_is_fenced(code: str) -> None:
    lines = code.split("\n")[1:-1]
    parts = [item.text.split("\n") for item in chunk(Block("code", code, "", ()))]
    assert [line for part in parts for line in part[1:-1]] == lines
    opening, closing = code.split("\n")[0], code.split("\n")[-1]
    assert {part[-1] for part in parts} == {closing}
    assert [part[0] for part in parts] == [opening, *[f"{opening} …"] * (len(parts) - 1)]


@given(PROSE)
def test_no_cut_falls_inside_a_sentence(text: str) -> None:
    whole = [text[start:end] for start, end in split_sentences(text)]
    cut = "\n".join(item.text for item in chunk(prose(text)))
    assert all(sentence in cut for sentence in whole)


def test_a_short_section_is_one_chunk() -> None:
    (only,) = chunk(prose("One."), prose("Two."))
    assert only.text == "One.\n\nTwo."
    assert [only.text[item.start : item.end] for item in only.units] == ["One.", "Two."]


def test_a_section_without_text_has_no_chunk() -> None:
    assert chunk() == ()


def test_a_long_chinese_paragraph_is_cut_without_a_blank_put_in() -> None:
    text = "缓存会保存结果。" * 60
    chunks = chunk(prose(text), language="zh-CN")
    assert len(chunks) > 1
    assert "".join(item.text for item in chunks) == text


def test_a_bullet_is_no_part_of_the_sentence() -> None:
    (only,) = chunk(Block("item", "12. Press start. Wait.", "", (), mark=4))
    assert [only.text[item.start : item.end] for item in only.units] == ["Press start.", "Wait."]


def test_a_label_is_text_but_no_sentence() -> None:
    (only,) = chunk(Block("heading", "tip", "", ()), prose("Do this."))
    assert only.text == "**tip**\n\nDo this."
    assert [item.kind for item in only.units] == ["prose"]
    assert only.embedded == "Page > A\ntip\n\nDo this."


def test_an_admonition_stands_as_a_quotation_around_its_sentences() -> None:
    (only,) = chunk(
        Block("heading", "danger", "", (), note=True),
        Block("prose", "It burns. Take care.", "", (), note=True),
        Block("item", "- Gloves help.", "", (), note=True, mark=2),
        prose("After."),
    )
    assert only.text == "> **danger**\n\n> It burns. Take care.\n\n> - Gloves help.\n\nAfter."
    quoted = [only.text[item.start : item.end] for item in only.units]
    assert quoted == ["It burns.", "Take care.", "Gloves help.", "After."]
    assert only.embedded == "Page > A\ndanger\n\nIt burns. Take care.\n\n- Gloves help.\n\nAfter."


def test_each_tab_begins_with_its_label_and_their_end_is_marked() -> None:
    npm, yarn = Landing("tab", "npm"), Landing("tab", "Yarn")
    (only,) = chunk(prose("npm i", npm), prose("npm ci", npm), prose("yarn add", yarn), prose("Then start it."))
    assert only.text == "=== npm\n\nnpm i\n\nnpm ci\n\n=== Yarn\n\nyarn add\n\n===\n\nThen start it."
    assert [only.text[item.start : item.end] for item in only.units][-2:] == ["yarn add", "Then start it."]


def test_a_tab_that_goes_on_in_the_next_chunk_is_not_opened_again() -> None:
    npm = Landing("tab", "npm")
    chunks = chunk(*(prose("word " * 150, npm) for _ in range(2)))
    assert [item.text.startswith("=== npm") for item in chunks] == [True, False]


def test_tab_labels_stand_beside_the_heading_path_and_details_do_not() -> None:
    (only,) = chunk(prose("npm i", Landing("tab", "npm")), prose("x", Landing("details", "More")))
    assert only.embedded == "Page > A > npm\nnpm i\n\nx"
    assert embedded_text(("Page", "A"), ("npm",), "Run `x`.") == "Page > A > npm\nRun x."


def test_a_sentence_is_embedded_after_the_words_of_its_heading() -> None:
    assert unit_text(("Page", "Install", "Docker"), "Pull the image.") == "Install Docker: Pull the image."


def test_a_unit_too_short_to_mean_anything_alone_has_no_vector_unless_it_is_no_latin() -> None:
    assert unit_text(("Page",), "Yes.") == ""
    assert unit_text(("Page",), "水冷却") != ""


def units_of(*blocks: Block) -> list[UnitDraft]:
    return [unit for draft in chunk(*blocks) for unit in draft.units]


def label(text: str, *landing: Landing) -> Block:
    return Block("heading", text, "", landing)


def test_the_sentences_of_a_paragraph_are_of_one_block() -> None:
    units = units_of(prose("One. Two."), prose("Three."))
    assert [unit.layout.number for unit in units] == [1, 1, 2]


def test_blocks_are_counted_through_all_parts_of_a_section() -> None:
    items = [Block("item", f"- Item {number} of a list that goes on and on.", "", (), mark=2) for number in range(40)]
    drafts = chunk(*items)
    assert len(drafts) > 1
    assert [unit.layout.number for draft in drafts for unit in draft.units] == list(range(1, 41))


def test_labels_belong_to_the_first_unit_below_them() -> None:
    first, *others = units_of(label("app.js"), label("Since v2"), prose("One. Two."), prose("Three."))
    assert first.layout.labels == ("app.js", "Since v2")
    assert not any(unit.layout.labels for unit in others)


def test_a_bullet_and_its_indent_belong_to_the_first_sentence_of_an_item() -> None:
    units = units_of(Block("item", "  2. One. Two.", "", (), mark=5))
    assert [unit.mark for unit in units] == ["  2. ", ""]


def test_a_tab_is_told_with_the_first_one_beside_it() -> None:
    npm, yarn = Landing("tab", "npm"), Landing("tab", "Yarn")
    units = units_of(prose("One.", npm), prose("Two.", yarn), prose("Three."), prose("Four.", Landing("tab", "Yarn")))
    tabs = [(unit.layout.tab, unit.layout.first_tab) for unit in units]
    assert tabs == [("npm", "npm"), ("Yarn", "npm"), ("", ""), ("Yarn", "Yarn")]


def test_the_same_tabs_again_are_another_group() -> None:
    groups = [prose(f"{name} {number}.", Landing("tab", name)) for number in (1, 2) for name in ("npm", "Yarn")]
    assert [unit.layout.first_tab for unit in units_of(*groups)] == ["npm"] * 4
    again = units_of(*groups[:2], groups[2])
    assert again[2].layout.tab == again[2].layout.first_tab == "npm"


def test_an_admonition_that_warns_says_so_at_its_first_sentences() -> None:
    heading = Block("heading", "Danger", "", (), note=True)
    text = prose("All data is lost for good. Yes. Nobody can restore the data. Nobody can restore the backups.")
    units = units_of(heading, replace(text, note=True))
    assert all(unit.admonition for unit in units)
    assert [bool(unit.facts & fact_bits({"warning": True})) for unit in units] == [True, False, True, False]


def test_a_row_tells_how_long_its_columns_and_cells_are_unless_it_was_cut() -> None:
    cells = (("Name", "`size`"), ("Default", "a; b"))
    row = Block("row", row_text(cells), "", (), cells=cells)
    assert units_of(row)[0].cells == (4, 6, 7, 4)
    long = (("Name", "word " * 600),)
    assert not any(unit.cells for unit in units_of(Block("row", row_text(long).strip(), "", (), cells=long)))


@given(BLOCKS)
def test_the_records_of_units_say_what_the_marks_in_the_text_show(blocks: list[Block]) -> None:
    drafts = chunk(*blocks)
    chunks = [Chunk(number, 1, 1, 1, number, draft.text, 0) for number, draft in enumerate(drafts, start=1)]
    places = [
        (Unit(0, number, 1, 1, unit.start, unit.end, unit.kind, 0), unit)
        for number, draft in enumerate(drafts, start=1)
        for unit in draft.units
    ]
    read = marked_units(chunks, [place for place, _ in places])
    assert [(unit.block, unit.mark, unit.labels, unit.tab, unit.first_tab, unit.role) for unit in read] == [
        (unit.layout.number, unit.mark, unit.layout.labels, unit.layout.tab, unit.layout.first_tab, unit.role)
        for _, unit in places
    ]


def test_struck_out_words_are_in_no_vector() -> None:
    assert "nine" not in unit_text(("Prices",), "A seat costs ~~nine euros~~ twelve euros a month.")
    assert "nine" not in embedded_text(("Prices",), (), "A seat costs ~~nine euros~~ twelve euros a month.")
    assert unit_text(("Prices",), "~~A seat costs nine euros a month~~.") == ""
