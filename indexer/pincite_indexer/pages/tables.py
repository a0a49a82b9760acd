"""Convert tables to rows of (column name, cell); each row is a text of its own (`row_text`)."""

from dataclasses import dataclass, field

from lxml import etree

from pincite_core.quoting.table_rows import Cell
from pincite_indexer.pages.markup import whole_number

__all__ = ("TableReader",)

_MAX_SPAN = 100  # limit, so that a hostile colspan or rowspan does not use up memory
_MAX_COLUMNS = 500  # later columns are not repeated in other rows, and not created by spans
_MAX_CARRIED = 80  # characters; a longer cell is not repeated in every row that it spans


@dataclass(slots=True)
class _Table:
    headers: list[str] = field(default_factory=list)
    cells: list[str] = field(default_factory=list)
    all_headers: bool = True
    in_row: bool = False
    rows: int = 0
    carried: dict[int, tuple[str, int]] = field(default_factory=dict)

    def take_carried(self) -> None:
        """Fill the columns that cells of earlier rows span."""
        while len(self.cells) in self.carried:
            column = len(self.cells)
            text, rows = self.carried.pop(column)
            if rows > 1:
                self.carried[column] = (text, rows - 1)
            self.cells.append(text)


class TableReader:
    """Reader of table rows; a table nested in a cell becomes part of the cell's text."""

    def __init__(self) -> None:
        self._tables: list[_Table] = []

    @property
    def in_row(self) -> bool:
        """Return whether a row is open, so that text belongs to its cells."""
        return bool(self._tables) and self._tables[0].in_row

    def open_table(self) -> None:
        """Open a table."""
        self._tables.append(_Table())

    @property
    def nested(self) -> bool:
        """Return whether the innermost table is inside a cell of another table."""
        return len(self._tables) > 1

    def close_table(self) -> list[Cell]:
        """Close the innermost table; return its header row if it has no other row."""
        table = self._tables.pop() if self._tables else _Table()
        return [("", header) for header in table.headers if header] if table.rows == 1 else []

    def open_row(self) -> None:
        """Open a row of the outermost table; rows of nested tables are ignored."""
        if not self._tables:
            self._tables.append(_Table())
        if len(self._tables) == 1:
            table = self._tables[0]
            table.in_row, table.cells, table.all_headers = True, [], True

    def open_cell(self, element: etree._Element) -> None:
        """Record whether the row has cells that are not header cells."""
        if len(self._tables) == 1 and element.tag == "td":
            self._tables[0].all_headers = False

    def close_cell(self, text: str, element: etree._Element) -> None:
        """Add a cell's text, in the first of the columns it spans and in every row it spans."""
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
        """Close the row and return its cells with text; the header row returns none."""
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
