"""Convert lists and tables to text: the mark of each item, the definitions of each term, the cells of each row."""

from dataclasses import dataclass, field

from lxml import etree

from pincite_core.quoting.unit_text import Cell
from pincite_core.types import UnitKind
from pincite_indexer.pages.markup import whole_number

__all__ = ("LIST_TAGS", "ListReader", "TableReader")

LIST_TAGS = frozenset({"ul", "ol", "menu", "li", "dl", "dt", "dd"})
_MAX_SPAN = 100  # limit, so that a hostile colspan or rowspan does not use up memory
_MAX_COLUMNS = 500  # later columns are not repeated in other rows, and not created by spans
_MAX_CARRIED = 80  # characters; a longer cell is not repeated in every row that it spans


@dataclass(slots=True)
class _Term:
    anchor: str = ""
    defined: bool = False  # whether a definition has started


class ListReader:
    """Reader that tracks nested lists in document order."""

    def __init__(self) -> None:
        self._counters: list[int | None] = []  # next number of each ordered list; None for a bullet list
        self._terms: list[_Term] = []
        self._mark = ""

    @property
    def open(self) -> bool:
        """Return whether a list is open."""
        return bool(self._counters)

    def start(self, element: etree._Element, tag: str) -> UnitKind | None:
        """Open a list or a list part; return the kind of the following text, or None if it does not change."""
        if tag == "li":
            number = self._counters[-1] if self._counters else None
            self._mark = "  " * (len(self._counters) - 1) + ("- " if number is None else f"{number}. ")
            if number is not None:
                self._counters[-1] = number + 1
            return "item"
        if tag == "dt":  # consecutive terms share one definition and the first ID among them
            if self._terms and (self._terms[-1].defined or not self._terms[-1].anchor):
                self._terms[-1] = _Term(element.get("id") or "")
            return "term"
        if tag == "dd":
            if self._terms:
                self._terms[-1].defined = True
            return "prose"
        if tag == "dl":
            self._terms.append(_Term())
        else:
            self._counters.append(whole_number(element, "start", 1) if tag == "ol" else None)
        return None

    def end(self, tag: str) -> UnitKind | None:
        """Close a list or a list part; return the kind of the following text, or None if it does not change."""
        if tag in {"li", "dt", "dd"}:
            return "prose"
        opened = self._terms if tag == "dl" else self._counters
        if opened:
            opened.pop()
        return None

    def take_mark(self) -> str:
        """Return the mark of an item's first block; its other blocks have none."""
        mark, self._mark = self._mark, ""
        return mark

    @property
    def has_name(self) -> bool:
        """Return whether the open list has a term without a definition, so that another term is a synonym."""
        return bool(self._terms and self._terms[-1].anchor and not self._terms[-1].defined)

    def term(self) -> str:
        """Return the ID of the current term; empty if there is none."""
        return self._terms[-1].anchor if self._terms else ""


@dataclass(slots=True)
class _Table:
    headers: list[str] = field(default_factory=list)
    cells: list[str] = field(default_factory=list)
    all_headers: bool = True
    in_row: bool = False
    rows: int = 0
    carried: dict[int, tuple[str, int]] = field(default_factory=dict)  # by column: text, and rows still to fill

    def take_carried(self) -> None:
        """Fill the columns that cells of earlier rows span."""
        while (column := len(self.cells)) in self.carried:
            text, rows = self.carried.pop(column)
            if rows > 1:
                self.carried[column] = (text, rows - 1)
            self.cells.append(text)


class TableReader:
    """Reader of table rows as (column name, cell); a table nested in a cell becomes part of the cell's text."""

    def __init__(self) -> None:
        self._tables: list[_Table] = []

    @property
    def in_row(self) -> bool:
        """Return whether a row is open, so that text belongs to its cells."""
        return bool(self._tables) and self._tables[0].in_row

    @property
    def nested(self) -> bool:
        """Return whether the innermost table is inside a cell of another table."""
        return len(self._tables) > 1

    def start(self, tag: str) -> None:
        """Open a table, a row or a cell; rows and cells of nested tables are ignored."""
        if tag == "table" or (tag == "tr" and not self._tables):
            self._tables.append(_Table())
        if len(self._tables) == 1:
            table = self._tables[0]
            if tag == "tr":
                table.in_row, table.cells, table.all_headers = True, [], True
            elif tag == "td":
                table.all_headers = False

    def close_cell(self, text: str, element: etree._Element) -> None:
        """Add a cell's text, in the first of the columns it spans and in every row it spans."""
        table = self._tables[0]
        table.take_carried()
        first = len(table.cells)
        columns = min(_span(element, "colspan"), max(1, _MAX_COLUMNS - first))
        rows = _span(element, "rowspan")
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

    def close_table(self) -> list[Cell]:
        """Close the innermost table; return its header row if it has no other row."""
        table = self._tables.pop() if self._tables else _Table()
        return [("", header) for header in table.headers if header] if table.rows == 1 else []


def _span(cell: etree._Element, attribute: str) -> int:
    return min(max(1, whole_number(cell, attribute, 1)), _MAX_SPAN)
