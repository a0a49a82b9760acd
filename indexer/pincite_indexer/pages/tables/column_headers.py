"""Find the header cells of each column by the HTML table model, while rows are read from the top.

Source: https://html.spec.whatwg.org/multipage/tables.html#header-and-data-cell-semantics. Two rules differ from it, so
that no column gets a wrong name: a header cell that is not a column header ends a block of headers like a data cell,
and an empty data cell beside header cells is part of the header row. `tables` reads the cells.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

__all__ = ("LEVEL_JOINT", "ColumnHeader", "ColumnHeaders", "header_name")

LEVEL_JOINT = " / "
"""Separator of a spanning header and the header below it."""

_MAX_LEVELS = 16  # header rows of one column; more are hostile, and each costs time for every column that it spans
_COLUMN_JOINT = ", "  # between the headers of the columns that one cell spans


@dataclass(frozen=True, slots=True)
class ColumnHeader:
    """Header cell: its text, and its place in the table's grid."""

    text: str
    row: int
    column: int
    width: int


@dataclass(slots=True)
class ColumnHeaders:
    """Header cells that apply to the next row, by column."""

    _active: dict[int, list[tuple[ColumnHeader, int]]] = field(default_factory=dict)  # with the block of each
    _blocks: dict[int, int] = field(default_factory=dict)  # number of the column's last block of headers
    _ended: set[int] = field(default_factory=set)  # columns with a data cell after their last header
    _names: dict[int, str] = field(default_factory=dict)

    def add(self, header: ColumnHeader, end: int = 0) -> None:
        """Add a header cell; it replaces an equally placed one of an earlier block of headers.

        Args:
            header: The header cell. An empty one hides earlier ones as well.
            end: The column after the last one that it applies to; 0 for its own width.
        """
        self._names.clear()
        for column in range(header.column, end or header.column + header.width):
            if column in self._ended:
                self._ended.remove(column)
                self._blocks[column] = self._blocks.get(column, 0) + 1
            block, place = self._blocks.get(column, 0), (header.column, header.width)
            kept = [
                (one, at) for one, at in self._active.get(column, ()) if at == block or (one.column, one.width) != place
            ]
            self._active[column] = [*kept[1 - _MAX_LEVELS :], (header, block)]

    def end_block(self, column: int, width: int) -> None:
        """Note a data cell."""
        self._ended.update(range(column, column + width))

    def name(self, column: int, width: int = 1) -> str:
        """Return the name of the columns that a cell spans; empty if they have no header."""
        if not self._active:
            return ""
        if width > 1:
            return header_name(self._of(column, width))
        name = self._names.get(column)
        if name is None:
            name = self._names[column] = header_name(self._of(column, 1))
        return name

    def _of(self, column: int, width: int) -> list[ColumnHeader]:
        found = (header for at in range(column, column + width) for header, _ in self._active.get(at, ()))
        return list(dict.fromkeys(found))


def header_name(headers: Iterable[ColumnHeader]) -> str:
    """Return the texts of header cells from the top down, each once."""
    levels: dict[int, dict[str, None]] = {}
    for header in sorted(headers, key=lambda one: (one.row, one.column)):
        is_name = any(map(str.isalnum, header.text))  # not a dash or a smiley
        if is_name and not any(header.text in level for level in levels.values()):
            levels.setdefault(header.row, {})[header.text] = None
    return LEVEL_JOINT.join(map(_COLUMN_JOINT.join, levels.values()))
