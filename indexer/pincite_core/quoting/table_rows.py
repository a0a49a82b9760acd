"""Converts between the cells of a table row and its text, `Header: value; Header: value`."""

from collections.abc import Iterator, Sequence

__all__ = ("Cell", "cell_spans", "cells_of", "row_text")

Cell = tuple[str, str]
"""A cell's column name and text; the column name is empty if the table has no header for the column."""

_CELL_JOINT, _COLUMN_JOINT = "; ", ": "


def row_text(cells: Sequence[Cell]) -> str:
    """Join cells to the text of a row that can be read and retrieved without its table."""
    return _CELL_JOINT.join(f"{column}{_COLUMN_JOINT}{text}" if column else text for column, text in cells)


def cells_of(text: str, lengths: Sequence[int]) -> list[Cell]:
    """Split a row's text into its cells, in order; return one cell without a column if the lengths do not fit.

    Args:
        text: The row's text.
        lengths: The lengths in `Unit.cells`.
    """
    columns = zip(lengths[::2], cell_spans(lengths), strict=False)
    cells = [(_column(text, start, column), text[start:end]) for column, (start, end) in columns]
    return cells if cells and row_text(cells) == text else [("", text)]


def cell_spans(lengths: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the start and the end of each cell's text in its row, without the column name."""
    at = 0
    for column, length in zip(lengths[::2], lengths[1::2], strict=False):
        start = at + column + (len(_COLUMN_JOINT) if column else 0)
        yield start, start + length
        at = start + length + len(_CELL_JOINT)


def _column(text: str, start: int, length: int) -> str:
    end = start - len(_COLUMN_JOINT)
    return text[end - length : end] if length else ""
