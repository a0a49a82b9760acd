"""The text of units: the cells of a table row (`Header: value; Header: value`), plain text, and sentences."""

from collections.abc import Iterable, Iterator, Sequence

from pincite_core.rules import PASSAGES
from pincite_core.types import Unit

__all__ = ("Cell", "cell_spans", "cells_of", "plain_text", "row_text", "sentence_count")

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
    cells = []
    for column, (start, end) in zip(lengths[::2], cell_spans(lengths), strict=False):
        end_of_column = start - len(_COLUMN_JOINT)
        cells.append((text[end_of_column - column : end_of_column] if column else "", text[start:end]))
    return cells if cells and row_text(cells) == text else [("", text)]


def cell_spans(lengths: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the start and the end of each cell's text in its row, without the column name."""
    at = 0
    for column, length in zip(lengths[::2], lengths[1::2], strict=False):
        start = at + column + (len(_COLUMN_JOINT) if column else 0)
        yield start, start + length
        at = start + length + len(_CELL_JOINT)


def plain_text(text: str, unit: Unit) -> str:
    """Return a unit's text without fences and backticks; for a table row, return its cells separated by tabs."""
    if unit.kind == "code":
        return "\n".join(text.split("\n")[1:-1])
    if unit.kind == "row":
        text = "\t".join(cell for _, cell in cells_of(text, unit.cells))
    return text.replace("`", "")


def sentence_count(units: Iterable[tuple[Unit, str]]) -> int:
    """Return the number of sentences in units with their texts; a fragment such as "Default: `5`" does not count."""
    ends = PASSAGES.sentence_end
    return sum(
        unit.kind == "prose" and (unit.role != "fragment" or ends.search(text) is not None) for unit, text in units
    )
