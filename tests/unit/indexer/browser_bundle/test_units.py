"""What the browser is told of units: where they stand, what they are, how their page shows them."""

from typing import Any

from tests.marked_units import marked_units

from pincite_core.types import Chunk, Unit, UnitKind
from pincite_indexer.browser_bundle.units import FLAGS, KINDS, ROLES, Section, rows_of


def read(text: str, *units: tuple[str, UnitKind], linked: str = "") -> list[list[Any]]:
    """Return the rows of some units of a part, given in order."""
    found: list[Unit] = []
    end = 0
    for number, (unit, kind) in enumerate(units, start=1):
        start = text.index(unit, end)
        end = start + len(unit)
        found.append(Unit(number, 1, 7, 1, start, end, kind, 0))
    chunk = Chunk(1, 1, 1, 1, 0, text, 1)
    section = Section([chunk], {1: marked_units([chunk], found, {linked})}, {7: 2}, "en")
    (rows,) = rows_of(section)
    return rows


def told(row: list[Any]) -> set[str]:
    """Return a row's kind, its stance and what holds for it."""
    facts = row[2] if len(row) > 2 else 0
    flags = {name for at, name in enumerate(FLAGS) if facts >> (6 + at) & 1}
    return {KINDS[facts & 7], ROLES[facts >> 3 & 7], *flags}


def test_a_row_says_how_far_a_unit_is_from_the_one_before_as_javascript_counts() -> None:
    first, second = read("> 🎉 One is done.\n\n- Two is done.", ("One is done.", "prose"), ("Two is done.", "item"))
    assert (first[:2], second[:2]) == ([5, 12], [4, 12])
    assert second[4] == {"mark": "- "}


def test_a_unit_names_the_place_that_holds_it() -> None:
    assert [row[3] for row in read("One is done.", ("One is done.", "prose"))] == [2]


def test_what_the_words_of_a_unit_tell_is_told() -> None:
    row, *_ = read("It can be kept for 60 seconds.", ("It can be kept for 60 seconds.", "prose"))
    assert told(row) == {"prose", "leans", "begins", "whether", "duration", "number"}


def test_a_unit_that_is_nothing_but_a_link_sends_the_reader_elsewhere() -> None:
    row, *_ = read("- The `cache` guide.", ("The `cache` guide.", "item"), linked="The cache guide")
    assert "refers" in told(row)


def test_a_warning_is_told_at_its_first_sentence() -> None:
    text = "> **danger**\n\n> All jobs are lost for good. They never come back."
    first, second = read(text, ("All jobs are lost for good.", "prose"), ("They never come back.", "prose"))
    assert {"note", "warns", "begins"} <= told(first)
    assert "note" in told(second)
    assert told(second).isdisjoint({"warns", "begins"})


def test_a_table_row_says_how_long_its_columns_and_cells_are() -> None:
    text = "Name: `a`; Type: text\n\nName: `bc`; Type: number"
    _, row = read(text, ("Name: `a`; Type: text", "row"), ("Name: `bc`; Type: number", "row"))
    assert row[4]["cells"] == [4, 4, 4, 6]


def test_a_number_that_its_part_lacks_is_told() -> None:
    row, *_ = read("It waits for v2.5 seconds.", ("5 seconds.", "prose"))
    assert "unproved" in told(row)
