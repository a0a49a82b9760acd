"""Rows cut back into their cells."""

from hypothesis import given
from hypothesis import strategies as st

from pincite_core.quoting.table_rows import cells_of, row_text

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
