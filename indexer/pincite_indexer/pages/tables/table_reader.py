"""Convert tables to rows of (column name, cell), in document order.

`table_grid` places the cells, `column_headers` finds the names of columns, and `table_rows` reads each row.
`table_shape` judges tables whose markup does not say what they are.
"""

from typing import Literal

from lxml import etree

from pincite_indexer.generators.known_generators import MERGED
from pincite_indexer.pages.markup import has_class
from pincite_indexer.pages.tables.table_grid import OpenTable, Row
from pincite_indexer.pages.tables.table_rows import close_row, left_over
from pincite_indexer.pages.tables.table_shape import (
    TABLE_TAGS,
    is_heading_row,
    is_layout,
    is_signature,
    table_part,
)

__all__ = ("TableReader",)


class TableReader:
    """Reader of table rows; a table nested in a cell becomes part of the cell's text.

    The rows of a table that only places its content are no rows, and neither is a row that is a heading. The cells of a
    signature are one text.
    """

    def __init__(self) -> None:
        self._open: list[OpenTable | Literal["layout", "signature"]] = []
        self._tables: list[OpenTable] = []
        self._signatures = 0
        self._divs: dict[etree._Element, str] = {}  # open elements that are parts of a table by role or class

    @property
    def in_row(self) -> bool:
        """Return whether a row is open, so that text belongs to its cells."""
        return self._signatures > 0 or (bool(self._tables) and self._tables[0].in_row)

    @property
    def nested(self) -> bool:
        """Return whether the innermost table is inside a cell of another table."""
        return len(self._tables) > 1

    def part(self, element: etree._Element, tag: str) -> str:
        """Return which part of a table an element is; empty for others, and in tables without rows."""
        if tag != "div":
            in_layout = tag != "table" and bool(self._open) and isinstance(self._open[-1], str)
            return tag if tag in TABLE_TAGS and not in_layout else ""
        innermost = self._open[-1] if self._open else None
        if isinstance(innermost, OpenTable) and innermost.grid_columns:
            return _grid_part(innermost, element)
        part = table_part(element)
        return "" if part != "table" and isinstance(innermost, str) else part

    def closing_part(self, element: etree._Element, tag: str) -> str:
        """Return the same for an element that ends."""
        if tag != "div":
            return self.part(element, tag)
        return self._divs.pop(element, "") if self._divs else ""

    def start(self, element: etree._Element, part: str) -> None:
        """Open a table, a row or a cell; rows and cells of nested tables are ignored."""
        if element.tag == "div":
            self._divs[element] = part
        if part == "table" or (part == "tr" and not self._open):
            self._open_table(element, part)
        if len(self._tables) != 1:
            return
        table = self._tables[0]
        if part == "tr" and (table.element is element or not is_heading_row(element)):
            table.open_row(element)
        elif part == "tr":
            table.groups.clear()
        elif table.grid_columns and part in {"td", "th"} and not table.in_row:
            table.open_row(element)

    def _open_table(self, element: etree._Element, part: str) -> None:
        if part == "table" and is_signature(element):
            self._open.append("signature")
            self._signatures += 1
        elif part == "table" and is_layout(element):
            self._open.append("layout")
        else:
            self._tables.append(OpenTable.of(element))
            self._open.append(self._tables[-1])

    def close_cell(self, text: str, element: etree._Element, part: str) -> list[Row]:
        """Add a cell's text to the open row; return the row if the table has no elements for rows and it is full."""
        table = self._tables[0]
        is_header = part == "th" or element.get("role") in {"columnheader", "rowheader"}
        table.add_cell(text, element, is_header=is_header)
        return self.close_row() if table.grid_columns and table.at >= table.grid_columns else []

    def close_row(self) -> list[Row]:
        """Close the row; return it, or nothing for a header row."""
        if len(self._tables) != 1 or not self._tables[0].in_row:
            return []
        table = self._tables[0]
        rows = close_row(table)
        if table.element is table.row_element:  # a row outside of any table
            rows.extend(self.close_table())
        return rows

    def close_table(self) -> list[Row]:
        """Close the innermost table; return its header rows that no row of data follows."""
        table = self._open.pop() if self._open else "layout"
        if isinstance(table, str):
            self._signatures -= table == "signature"
            return []
        self._tables.pop()
        if self._tables:
            return []
        return [*(close_row(table) if table.in_row else ()), *left_over(table)]


def _grid_part(table: OpenTable, element: etree._Element) -> str:
    if element.getparent() is not table.element:
        return ""
    return "th" if has_class(element, MERGED.grid_headers) else "td"
