"""Tables as text: every row becomes `Header: value; Header: value`, so that it reads and is found on its own."""

from dataclasses import dataclass, field

from lxml import etree

__all__ = ("TableReader",)

_MAX_SPAN = 100  # a hostile colspan must not cost memory


@dataclass(slots=True)
class _Table:
    headers: list[str] = field(default_factory=list)
    cells: list[str] = field(default_factory=list)
    all_headers: bool = True
    in_row: bool = False
    rows: int = 0


class TableReader:
    """Collects the cells of the row being read. Tables nested in a cell are read as that cell's text."""

    def __init__(self) -> None:
        self._tables: list[_Table] = []

    @property
    def in_row(self) -> bool:
        """Whether a row is open, so that text belongs to one of its cells."""
        return bool(self._tables) and self._tables[0].in_row

    def open_table(self) -> None:
        """Begin a table."""
        self._tables.append(_Table())

    def close_table(self) -> None:
        """End the innermost table."""
        if self._tables:
            self._tables.pop()

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
        """Take a cell's text; a cell that spans columns stands in each of them."""
        if not self._tables:
            return
        if len(self._tables) > 1:  # a nested table's cells become parts of the outer cell
            self._append_nested(text)
            return
        span = element.get("colspan") or "1"
        repeat = min(int(span), _MAX_SPAN) if span.isdigit() else 1
        self._tables[0].cells.extend([text] + [""] * (max(1, repeat) - 1))

    def close_row(self) -> str:
        """End the row and return it as text; empty for the header row and for rows without text."""
        if len(self._tables) != 1:
            return ""
        table = self._tables[0]
        table.in_row = False
        table.rows += 1
        if table.all_headers and table.cells and table.rows == 1:
            table.headers = table.cells
            return ""
        headers = table.headers + [""] * len(table.cells)
        parts = [
            f"{header}: {cell}" if header and header != cell else cell
            for header, cell in zip(headers, table.cells, strict=False)
            if cell
        ]
        return "; ".join(parts)

    def _append_nested(self, text: str) -> None:
        outer = self._tables[0]
        if text:
            outer.cells.append(text)
