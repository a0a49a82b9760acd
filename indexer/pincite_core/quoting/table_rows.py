"""The cells of a table row, whose text is `Header: value; Header: value`."""

from collections.abc import Iterator, Sequence

__all__ = ("CELL_JOINT", "COLUMN_JOINT", "Cell", "cells_of", "row_text")

Cell = tuple[str, str]
"""A cell's column and its text; the column is empty where the table names none."""

CELL_JOINT, COLUMN_JOINT = "; ", ": "


def row_text(cells: Sequence[Cell]) -> str:
    """Return a row as text, so that it reads and is found on its own."""
    return CELL_JOINT.join(f"{column}{COLUMN_JOINT}{text}" if column else text for column, text in cells)


def cells_of(text: str, lengths: Sequence[int]) -> list[Cell]:
    """Return a row's cells, in order; one without a column where the lengths do not fit.

    Args:
        text: The row's text.
        lengths: `Sentence.cells`.
    """
    cells = list(_cut(text, lengths))
    return cells if cells and row_text(cells) == text else [("", text)]


def _cut(text: str, lengths: Sequence[int]) -> Iterator[Cell]:
    at = 0
    for column, length in zip(lengths[::2], lengths[1::2], strict=False):
        start = at + column + (len(COLUMN_JOINT) if column else 0)
        yield text[at : at + column], text[start : start + length]
        at = start + length + len(CELL_JOINT)
