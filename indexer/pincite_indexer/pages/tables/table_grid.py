"""Place the cells of a table in its grid: spans, groups of rows, and cells that reach into later rows."""

import re
from dataclasses import dataclass, field

from lxml import etree

from pincite_core.quoting.unit_text import Cell
from pincite_indexer.pages.tables.column_headers import ColumnHeader, ColumnHeaders
from pincite_indexer.pages.tables.table_shape import grid_columns, has_cells, header_rows

__all__ = ("MAX_COLUMNS", "GridCell", "Group", "OpenTable", "Row", "span_of")

MAX_COLUMNS = 500
"""Later columns are not repeated in other rows, and not created by spans."""

_MAX_SPAN = 100  # limit, so that a hostile colspan or rowspan does not use up memory
_TO_THE_END = 1_000_000  # rows
_SPAN = re.compile(r"\s*(\d{1,4})(?!\d)")
_ROW_SCOPES = frozenset({"row", "rowgroup"})
_COLUMN_SCOPES = frozenset({"col", "colgroup"})


@dataclass(slots=True)
class Row:
    """Cells of a row with text, and how many of the first ones name the group that the row belongs to."""

    cells: list[Cell]
    groups: int = 0


@dataclass(slots=True)
class GridCell:
    """Cell of a table, with its place in the grid."""

    text: str
    element: etree._Element
    row: int
    column: int
    width: int
    bottom: int  # the row after the last one that it spans
    is_header: bool
    scope: str
    is_clean: bool = True  # no row that it spans has a data cell
    opens_group: bool = False  # whether it names the rows below, not a column

    @property
    def names_column(self) -> bool:
        """Whether it is a column header, if it spans no further rows."""
        return self.is_header and self.scope not in _ROW_SCOPES and (self.is_clean or self.scope in _COLUMN_SCOPES)

    def in_grid(self) -> ColumnHeader:
        """Return the cell as the header of its columns."""
        return ColumnHeader(self.text, self.row, self.column, self.width)


@dataclass(slots=True)
class Group:
    """Title of some rows of a table; empty if the title is too long to be repeated."""

    text: str
    from_head: bool  # holds for the whole table
    own_section: bool  # holds for the rows of its `tbody` alone


@dataclass(slots=True)
class OpenTable:
    """State of a table whose rows are read."""

    element: etree._Element
    grid_columns: int = 0  # number of columns, of a table built from `div` elements without rows
    unmarked_headers: int = 0  # first rows that are header rows without `th`
    only_headers: bool = False  # no `td`: rows after the first one are data
    headers: ColumnHeaders = field(default_factory=ColumnHeaders)
    groups: list[Group] = field(default_factory=list)
    groups_used: bool = False  # whether a row of data follows the last group
    named: dict[str, GridCell] = field(default_factory=dict)  # cells by ID, for `headers`
    held: list[Row] = field(default_factory=list)  # header rows without a row of data so far
    header_texts: set[str] = field(default_factory=set)
    section: etree._Element | None = None
    row_element: etree._Element | None = None
    cells: list[GridCell] = field(default_factory=list)
    at: int = 0  # the next free column
    in_row: bool = False
    row: int = -1
    data_rows: int = 0
    columns: int = 0
    has_bold_rows: bool = False  # whether a row of data has its first cell in bold
    has_data_groups: bool = False  # whether data cells as wide as the table name the rows below
    carried: dict[int, GridCell] = field(default_factory=dict)  # cells that span further rows, by column

    @classmethod
    def of(cls, element: etree._Element) -> "OpenTable":
        """Return the state of a table before its first row."""
        table = cls(element)
        if element.tag != "table":
            table.grid_columns = grid_columns(element)
            return table
        if has_cells(element, "th"):
            table.only_headers = not has_cells(element, "td")
        else:
            table.unmarked_headers = header_rows(element)
        return table

    @property
    def in_head(self) -> bool:
        """Whether the open row is in `<thead>`."""
        return self.section is not None and self.section.tag == "thead"

    def open_row(self, element: etree._Element) -> None:
        """Open a row."""
        self.in_row, self.cells, self.at, self.row_element = True, [], 0, element
        self.row += 1
        section = element.getparent()
        if section is not self.section:
            self._leave_section()
            self.section = section

    def add_cell(self, text: str, element: etree._Element, *, is_header: bool) -> None:
        """Add a cell to the open row."""
        self.fill_carried()
        if element.keys():
            cell = self._with_attributes(text, element, is_header)
        else:
            cell = GridCell(text, element, self.row, self.at, 1, self.row + 1, is_header, "")
        self.cells.append(cell)
        self.at += cell.width

    def fill_carried(self) -> None:
        """Fill the columns that cells of earlier rows span."""
        while (cell := self.carried.get(self.at)) is not None:
            if cell.bottom <= self.row:
                del self.carried[self.at]
                continue
            self.cells.append(cell)
            self.at += cell.width

    def fill_row(self) -> None:
        """Fill the columns after the row's last cell."""
        self.fill_carried()
        for column in sorted(self.carried) if self.carried else ():
            if column > self.at and self.carried[column].bottom > self.row:  # a short row leaves a gap
                self.at = column
                self.fill_carried()

    def _leave_section(self) -> None:
        """End the cells and groups that cannot reach into the next group of rows."""
        for cell in self.carried.values():
            if cell.names_column:
                self.headers.add(cell.in_grid())
        self.carried.clear()
        if self.groups_used:
            self.groups = [group for group in self.groups if group.from_head]
        else:
            self.groups = [group for group in self.groups if not group.own_section]

    def _with_attributes(self, text: str, element: etree._Element, is_header: bool) -> GridCell:
        """Return a cell with its spans and scope; note it if it spans further rows or has an ID."""
        column, row = self.at, self.row
        width = min(span_of(element, "colspan") or 1, max(1, MAX_COLUMNS - column))
        height = span_of(element, "rowspan")
        scope = (element.get("scope") or "").lower()
        if element.get("role") == "rowheader":
            scope = "row"
        bottom = row + (height or _TO_THE_END)
        cell = GridCell(text, element, row, column, width, bottom, is_header or bool(scope), scope)
        if height != 1 and column < MAX_COLUMNS:
            self.carried[column] = cell
        if name := element.get("id"):
            self.named.setdefault(name, cell)
        return cell


def span_of(cell: etree._Element, attribute: str) -> int:
    """Return a span; 0 for one to the end of the group of rows, and 1 if the attribute is missing or invalid."""
    value = cell.get(attribute)
    match = _SPAN.match(value) if value else None
    return min(int(match[1]), _MAX_SPAN) if match else 1
