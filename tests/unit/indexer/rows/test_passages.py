"""The passage of each unit: complete, in the unit's section and of one tab, whatever the section is made of."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import structs
from tests.unit.core.index.index_content import make_content

from pincite_core.index.read import Index
from pincite_core.index.write import write_index
from pincite_core.types import Chunk, Landing, TabPassage, Target, Unit, fact_bits
from pincite_indexer.browser_bundle.units import UNIT_NAMES, units_files
from pincite_indexer.pages.chunking import SectionPart, chunks_of
from pincite_indexer.pages.code.code_blocks import fenced
from pincite_indexer.pages.records import Block
from pincite_indexer.rows.passages import with_passages

SENTENCES = [
    "The cache keeps results for an hour.",
    "It is cleared at midnight.",
    "However, nothing is lost.",
    "Run this command:",
    "These options exist:",
    "Yes.",
    "See the guide.",
    "What is a cache?",
]
PROSE = st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=5).map(" ".join)
LISTING = st.integers(1, 70).map(lambda lines: fenced("\n".join(f"run({line})" for line in range(lines)), "js"))
LANDING = st.sampled_from([(), (), (Landing("tab", "npm"),), (Landing("tab", "Yarn"),), (Landing("tab", "pnpm"),)])


def block(kind: str, words: st.SearchStrategy[str]) -> st.SearchStrategy[Block]:
    note = st.just(False) if kind == "code" else st.sampled_from([False, False, True])
    return st.builds(Block, st.just(kind), words, st.just(""), LANDING, st.just(()), note)


MARKS = st.sampled_from(["- {}", "  - {}", "1. {}", "{}"])
SECTIONS = st.lists(
    st.one_of(
        block("prose", PROSE),
        block("prose", PROSE),
        block("heading", st.just("Note")),
        block("term", st.sampled_from(["--cache", "run(options)", "Release:"])),
        block("item", MARKS.flatmap(lambda mark: PROSE.map(mark.format))),
        block("item", MARKS.flatmap(lambda mark: PROSE.map(mark.format))),
        block("row", st.sampled_from(["Name: a; Type: b", "Name: c; Type: 5 seconds"])),
        block("code", LISTING),
    ),
    min_size=1,
    max_size=25,
)


def section(blocks: Sequence[Block]) -> tuple[list[Chunk], list[Unit]]:
    """Return the rows of a section."""
    parts = tuple(SectionPart(one, 0, ("Page",)) for one in blocks)
    chunks, units = list[Chunk](), list[Unit]()
    for ordinal, draft in enumerate(chunks_of(("Page",), parts, "en")):
        chunks.append(Chunk(ordinal + 1, 1, 1, 1, ordinal, draft.text, 1))
        for one in draft.units:
            laid = one.layout
            units.append(
                Unit(
                    len(units) + 1,
                    ordinal + 1,
                    1,
                    1,
                    one.start,
                    one.end,
                    one.kind,
                    0,
                    laid.number,
                    one.mark,
                    laid.labels,
                    one.admonition,
                    laid.tab,
                    laid.first_tab,
                    one.role,
                    one.facts,
                    one.cells,
                )
            )
    return chunks, with_passages(units, chunks)


def reached(units: Sequence[Unit], at: int, passage: tuple[int, ...]) -> list[int]:
    pairs = zip(passage[::2], passage[1::2], strict=True)
    return [place for first, last in pairs for place in range(at + first, at + last + 1)]


def passages(units: Sequence[Unit]) -> Iterator[tuple[int, list[int]]]:
    """Yield the position of each unit with each of its passages that is not empty."""
    for at, unit in enumerate(units):
        for passage in (unit.passage, *(passage for _, passage in unit.tab_passages)):
            if passage:
                yield at, reached(units, at, passage)


@settings(max_examples=60, deadline=None)
@given(SECTIONS)
def test_a_passage_holds_its_unit_and_stays_in_order_in_its_section(blocks: list[Block]) -> None:
    _, units = section(blocks)
    for at, found in passages(units):
        assert at in found
        assert found == sorted(set(found))
        assert found[0] >= 0
        assert found[-1] < len(units)


@settings(max_examples=60, deadline=None)
@given(SECTIONS)
def test_code_in_a_passage_is_whole(blocks: list[Block]) -> None:
    _, units = section(blocks)
    for _, found in passages(units):
        for one in found:
            if units[one].has("goes_on"):
                assert one - 1 in found
            if one + 1 < len(units) and units[one].kind == "code" and units[one + 1].has("goes_on"):
                assert one + 1 in found


@settings(max_examples=60, deadline=None)
@given(SECTIONS)
def test_of_each_group_of_tabs_a_passage_has_one_tab_and_the_units_own_if_it_is_in_one(blocks: list[Block]) -> None:
    _, units = section(blocks)
    for at, found in passages(units):
        shown: dict[str, str] = {}
        for one in (at, *found):
            if units[one].tab:
                assert shown.setdefault(units[one].first_tab, units[one].tab) == units[one].tab
    for at, unit in enumerate(units):
        for tab, passage in unit.tab_passages:
            assert tab
            assert passage != unit.passage
            assert all(units[one].tab in {"", tab, units[one].first_tab} for one in reached(units, at, passage))


@settings(max_examples=60, deadline=None)
@given(SECTIONS)
def test_a_passage_of_a_sentence_does_not_end_with_a_lead_in_and_a_list_has_its_own(blocks: list[Block]) -> None:
    _, units = section(blocks)
    for at, found in passages(units):
        if units[at].kind == "prose":
            assert units[found[-1]].role != "announces" or units[found[-1]].kind == "item"
        if units[at].kind in {"item", "row"} and not units[at].has("picks"):
            before = found[0] - 1
            leads = before >= 0 and units[before].kind == "prose" and units[before].role == "announces"
            beside = leads and units[before].admonition == units[found[0]].admonition and not units[before].tab
            assert not (beside and units[found[0]].kind in {"item", "row"} and not units[found[0]].tab)


@settings(max_examples=60, deadline=None)
@given(SECTIONS)
def test_a_section_that_says_something_has_an_opening(blocks: list[Block]) -> None:
    _, units = section(blocks)
    view = [unit for unit in units if unit.tab == unit.first_tab]
    says = any(unit.role not in {"asks", "refers", "fragment"} for unit in view)
    assert any(unit.has("opening") for unit in view) == says


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(SECTIONS)
def test_a_passage_is_read_back_from_the_index_and_from_the_files_for_browsers(
    tmp_path: Path, blocks: list[Block]
) -> None:
    chunks, units = section(blocks)
    if not units:
        return
    target = Target(1, 1, None, 0, "", "page", 0, "Page", ("Page",), "m/page", "auto", ())
    content = make_content(chunks=chunks, units=units, targets=[target], terms=[], links=[], aliases=[])
    write_index(content, tmp_path / "index.db")
    assert Index.open(tmp_path, checked=True).units() == units
    (file,) = units_files(content, content.scopes[0], [0])
    rows = [row for part in file["parts"] for row in part]  # type: ignore[attr-defined]
    assert [tuple(row[4]) if len(row) > 4 else () for row in rows] == [unit.passage for unit in units]
    rest = [row[5] if len(row) > 5 else {} for row in rows]
    assert [one.get("tabs", ()) for one in rest] == [unit.tab_passages for unit in units]
    picks = 6 + list(UNIT_NAMES["flags"]).index("picks")
    assert [bool(row[2] >> picks & 1) if len(row) > 2 else False for row in rows] == [one.has("picks") for one in units]


def prose(text: str, tab: str = "") -> Block:
    return Block("prose", text, "", (TABS[tab],) if tab else ())


TABS = {label: Landing("tab", label) for label in ("npm", "Yarn")}


def test_a_sentence_brings_the_one_that_it_depends_on_and_reads_on_to_three() -> None:
    _, units = section(
        [prose("The worker keeps the lease. It lasts for thirty seconds. It can be extended. It ends with the job.")]
    )
    assert [unit.passage for unit in units] == [(0, 2), (-1, 1), (-2, 0), ()]


def test_a_lead_in_brings_the_code_of_its_first_tab_and_says_which_other_tab_has_other_code() -> None:
    lead = prose("Install the package:")
    code = [Block("code", fenced(f"{tab} add", "sh"), "", (TABS[tab],)) for tab in TABS]
    _, units = section([lead, *code])
    assert units[0].passage == (0, 1)
    assert units[0].tab_passages == (TabPassage("Yarn", (0, 0, 2, 2)),)
    assert units[2].passage == (-2, -2, 0, 0)


@pytest.mark.parametrize(("count", "picks"), [(6, False), (7, True)])
def test_of_a_long_table_a_question_picks_rows(count: int, picks: bool) -> None:
    _, units = section([Block("row", f"Name: {number}; Type: x", "", ()) for number in range(count)])
    assert [unit.has("picks") for unit in units] == [picks] * count
    assert units[1].passage == (-1, count - 2)


@settings(max_examples=60, deadline=None)
@given(SECTIONS)
def test_sections_with_the_same_text_but_other_tabs_and_admonitions_have_passages_of_their_own(
    blocks: list[Block],
) -> None:
    plain = [structs.replace(one, landing=(), note=False) for one in blocks]
    (chunks, first), (other_chunks, other) = section(blocks), section(plain)
    moved = [structs.replace(one, chunk_id=one.chunk_id + len(chunks), target_id=2) for one in other_chunks]
    units = [structs.replace(one, chunk_id=one.chunk_id + len(chunks), target_id=2) for one in other]
    together = with_passages([*map(without_passage, first), *map(without_passage, units)], [*chunks, *moved])
    assert together == [*first, *units]


def without_passage(unit: Unit) -> Unit:
    computed = fact_bits({"opening": True, "navigation": True, "picks": True})
    return structs.replace(unit, passage=(), tab_passages=(), facts=unit.facts & ~computed)
