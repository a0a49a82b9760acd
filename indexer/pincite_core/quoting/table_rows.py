"""Converts between the cells of a table row and its text, `Header: value; Header: value`."""

from collections.abc import Iterator, Sequence

__all__ = ("CELL_JOINT", "COLUMN_JOINT", "Cell", "cells_of", "row_text")

Cell = tuple[str, str]
"""A cell's column name and text; the column name is empty if the table has no header for the column."""

CELL_JOINT, COLUMN_JOINT = "; ", ": "


def row_text(cells: Sequence[Cell]) -> str:
    """Join cells to the text of a row that can be read and retrieved without its table."""
    return CELL_JOINT.join(f"{column}{COLUMN_JOINT}{text}" if column else text for column, text in cells)


def cells_of(text: str, lengths: Sequence[int]) -> list[Cell]:
    """Split a row's text into its cells, in order; return one cell without a column if the lengths do not fit.

    Args:
        text: The row's text.
        lengths: The lengths in `Unit.cells`.
    """
    cells = list(_cut(text, lengths))
    return cells if cells and row_text(cells) == text else [("", text)]


def _cut(text: str, lengths: Sequence[int]) -> Iterator[Cell]:
    at = 0
    for column, length in zip(lengths[::2], lengths[1::2], strict=False):
        start = at + column + (len(COLUMN_JOINT) if column else 0)
        yield text[at : at + column], text[start : start + length]
        at = start + length + len(CELL_JOINT)
