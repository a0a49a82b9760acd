"""The cells of table rows, and the text of units without markup."""

from hypothesis import given
from hypothesis import strategies as st

from pincite_core.quoting.unit_text import cells_of, plain_text, row_text
from pincite_core.types import Unit, UnitKind

CELLS = st.lists(st.tuples(st.text(max_size=8), st.text(min_size=1, max_size=8)), min_size=1, max_size=5)


@given(CELLS)
def test_a_row_is_cut_into_the_cells_that_it_was_made_of(cells: list[tuple[str, str]]) -> None:
    lengths = [len(part) for cell in cells for part in cell]
    assert cells_of(row_text(cells), lengths) == cells


def test_a_cell_may_hold_what_joins_cells_and_columns() -> None:
    cells = [("Default", "a; b"), ("Note", "Type: number")]
    lengths = [len(part) for cell in cells for part in cell]
    assert cells_of("Default: a; b; Note: Type: number", lengths) == cells


@given(st.text(max_size=20), st.lists(st.integers(0, 40), max_size=6))
def test_lengths_that_do_not_fit_leave_the_row_whole(text: str, lengths: list[int]) -> None:
    cells = cells_of(text, lengths)
    assert row_text(cells) == text


def unit(kind: UnitKind, cells: tuple[int, ...] = ()) -> Unit:
    return Unit(1, 1, 1, 1, 0, 1, kind, 0, cells=cells)


def test_prose_loses_its_marks_of_code() -> None:
    assert plain_text("Set `size` to 5.", unit("prose")) == "Set size to 5."


def test_code_loses_its_fences_and_keeps_what_is_in_it() -> None:
    assert plain_text("```sh\necho `date`\n```", unit("code")) == "echo `date`"


def test_a_part_of_a_longer_listing_is_its_lines() -> None:
    assert plain_text("````md …\n```\nnested\n```\n````", unit("code")) == "```\nnested\n```"


def test_a_row_is_its_cells_without_the_names_of_their_columns() -> None:
    row = "Name: `size`; Type: number; How much"
    assert plain_text(row, unit("row", (4, 6, 4, 6, 0, 8))) == "size\tnumber\tHow much"
