"""Convert tables to rows of (column name, cell), in document order.

`table_grid` places the cells, `column_headers` finds the names of columns, and `table_rows` reads each row.
`table_shape` judges tables whose markup does not say what they are.
"""

from lxml import etree

from pincite_indexer.pages.table_grid import OpenTable, Row
from pincite_indexer.pages.table_rows import close_row, left_over
from pincite_indexer.pages.table_shape import is_layout, table_part

__all__ = ("TableReader",)


class TableReader:
    """Reader of table rows; a table nested in a cell becomes part of the cell's text."""

    def __init__(self) -> None:
        self._open: list[OpenTable | None] = []  # None for a table that only places its content
        self._tables: list[OpenTable] = []

    @property
    def in_row(self) -> bool:
        """Return whether a row is open, so that text belongs to its cells."""
        return bool(self._tables) and self._tables[0].in_row

    @property
    def nested(self) -> bool:
        """Return whether the innermost table is inside a cell of another table."""
        return len(self._tables) > 1

    def part(self, element: etree._Element, tag: str) -> str:
        """Return which part of a table an element is; empty for others, and in tables that only place their content."""
        part = table_part(element, tag)
        in_layout = part != "table" and bool(self._open) and self._open[-1] is None
        return "" if in_layout else part

    def start(self, element: etree._Element, part: str) -> None:
        """Open a table, a row or a cell; rows and cells of nested tables are ignored."""
        if part == "table" or (part == "tr" and not self._open):
            table = None if part == "table" and is_layout(element) else OpenTable.of(element)
            self._open.append(table)
            if table is not None:
                self._tables.append(table)
        if part == "tr" and len(self._tables) == 1:
            self._tables[0].open_row(element)

    def close_cell(self, text: str, element: etree._Element, part: str) -> None:
        """Add a cell's text to the open row."""
        is_header = part == "th" or element.get("role") in {"columnheader", "rowheader"}
        self._tables[0].add_cell(text, element, is_header=is_header)

    def close_row(self) -> list[Row]:
        """Close the row; return it, or nothing for a header row."""
        if len(self._tables) != 1:
            return []
        table = self._tables[0]
        rows = close_row(table)
        if table.element is table.row_element:  # a row outside of any table
            rows.extend(self.close_table())
        return rows

    def close_table(self) -> list[Row]:
        """Close the innermost table; return its header rows that no row of data follows."""
        table = self._open.pop() if self._open else None
        if table is None:
            return []
        self._tables.pop()
        return [] if self._tables else left_over(table)
