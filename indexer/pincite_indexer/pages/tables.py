"""Tables as rows: each has its cells with the names of their columns, and is text by itself (`row_text`)."""

from dataclasses import dataclass, field

from lxml import etree

from pincite_core.quoting.table_rows import Cell
from pincite_indexer.pages.markup import whole_number

__all__ = ("TableReader",)

_MAX_SPAN = 100  # a hostile colspan or rowspan must not cost memory
_MAX_COLUMNS = 500  # further columns are not carried to other rows, nor made by spanning
_MAX_CARRIED = 80  # characters of a cell that are worth repeating in every row it spans; longer ones stand once


@dataclass(slots=True)
class _Table:
    headers: list[str] = field(default_factory=list)
    cells: list[str] = field(default_factory=list)
    all_headers: bool = True
    in_row: bool = False
    rows: int = 0
    carried: dict[int, tuple[str, int]] = field(default_factory=dict)

    def take_carried(self) -> None:
        """Fill the columns that a cell of an earlier row reaches down to."""
        while len(self.cells) in self.carried:
            column = len(self.cells)
            text, rows = self.carried.pop(column)
            if rows > 1:
                self.carried[column] = (text, rows - 1)
            self.cells.append(text)


class TableReader:
    """Collects the cells of the row being read. A table nested in a cell is part of that cell's text."""

    def __init__(self) -> None:
        self._tables: list[_Table] = []

    @property
    def in_row(self) -> bool:
        """Whether a row is open, so that text belongs to one of its cells."""
        return bool(self._tables) and self._tables[0].in_row

    def open_table(self) -> None:
        """Begin a table."""
        self._tables.append(_Table())

    @property
    def nested(self) -> bool:
        """Whether the innermost table stands in a cell of another."""
        return len(self._tables) > 1

    def close_table(self) -> list[Cell]:
        """End the innermost table; return its header when that is all there was."""
        table = self._tables.pop() if self._tables else _Table()
        return [("", header) for header in table.headers if header] if table.rows == 1 else []

    def open_row(self) -> None:
        """Begin a row of the outermost table."""
        if not self._tables:
            self._tables.append(_Table())
        if len(self._tables) == 1:
            table = self._tables[0]
            table.in_row, table.cells, table.all_headers = True, [], True

    def open_cell(self, element: etree._Element) -> None:
        """Note whether the row holds anything but header cells."""
        if len(self._tables) == 1 and element.tag == "td":
            self._tables[0].all_headers = False

    def close_cell(self, text: str, element: etree._Element) -> None:
        """Take a cell's text. It stands in the first of the columns it spans, and in every row it spans."""
        table = self._tables[0]
        table.take_carried()
        columns, rows = _span(element, "colspan"), _span(element, "rowspan")
        first = len(table.cells)
        columns = min(columns, max(1, _MAX_COLUMNS - first))
        table.cells.extend([text] + [""] * (columns - 1))
        if rows > 1 and first < _MAX_COLUMNS:
            carried = text if len(text) <= _MAX_CARRIED else ""
            table.carried[first] = (carried, rows - 1)
            table.carried.update(dict.fromkeys(range(first + 1, first + columns), ("", rows - 1)))

    def close_row(self) -> list[Cell]:
        """End the row and return its cells that have text; none for the header row."""
        if len(self._tables) != 1:
            return []
        table = self._tables[0]
        table.take_carried()
        table.in_row = False
        table.rows += 1
        if table.all_headers and table.cells and table.rows == 1:
            table.headers = table.cells
            return []
        headers = table.headers + [""] * len(table.cells)
        named = zip(headers, table.cells, strict=False)
        return [(header if header != cell else "", cell) for header, cell in named if cell]


def _span(cell: etree._Element, attribute: str) -> int:
    return min(max(1, whole_number(cell, attribute, 1)), _MAX_SPAN)
