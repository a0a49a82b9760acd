"""Column names of random tables against a direct implementation of the HTML table model.

Source: https://html.spec.whatwg.org/multipage/tables.html#header-and-data-cell-semantics, with the two differences that
`column_headers` names, and with a header cell over the whole width as the title of the rows below it.
"""

from dataclasses import dataclass, field
from itertools import count

from hypothesis import given
from hypothesis import strategies as st
from tests.unit.indexer.one_page import read_bytes

from pincite_indexer.pages.records import Block

_SCOPES = ["", "", "", "", "col", "row"]


@dataclass(frozen=True)
class Cell:
    tag: str
    text: str
    colspan: int
    rowspan: int
    scope: str
    number: int

    def html(self) -> str:
        attributes = f' colspan="{self.colspan}"' * (self.colspan > 1) + f' rowspan="{self.rowspan}"' * (
            self.rowspan != 1
        )
        attributes += f' scope="{self.scope}"' * bool(self.scope)
        return f"<{self.tag}{attributes}>{self.text}</{self.tag}>"


@dataclass
class Grid:
    """The table of the specification: which cells cover each slot, and where each cell is anchored."""

    slots: dict[tuple[int, int], Cell] = field(default_factory=dict)
    anchors: dict[Cell, tuple[int, int, int, int]] = field(default_factory=dict)  # x, y, width, height

    @property
    def width(self) -> int:
        return 1 + max((x for x, _ in self.slots), default=-1)


def form_table(sections: list[list[list[Cell]]]) -> Grid | None:
    """Return the grid of a table; None if cells overlap, which the specification calls a table model error."""
    grid, y = Grid(), 0
    for rows in sections:
        end = y + len(rows)
        for row in rows:
            x = 0
            for cell in row:
                while (x, y) in grid.slots:
                    x += 1
                height = min(cell.rowspan or end - y, end - y)
                for covered in ((x + i, y + j) for i in range(cell.colspan) for j in range(height)):
                    if covered in grid.slots:
                        return None
                    grid.slots[covered] = cell
                grid.anchors[cell] = (x, y, cell.colspan, height)
                x += cell.colspan
            y += 1
    return grid


def is_column_header(grid: Grid, cell: Cell) -> bool:
    if cell.tag != "th" or cell.scope:
        return cell.tag == "th" and cell.scope == "col"
    _, y, _, height = grid.anchors[cell]
    return not any(other.tag == "td" and other.text for (_, at), other in grid.slots.items() if y <= at < y + height)


def is_empty_corner(grid: Grid, cell: Cell) -> bool:
    """Whether it is an empty data cell in a row of column headers."""
    _, y, _, _ = grid.anchors[cell]
    row = [other for (_, at), other in grid.slots.items() if at == y and other.text]
    is_header_row = bool(row) and all(other.tag == "th" for other in row)
    return cell.tag == "td" and not cell.text and is_header_row and any(is_column_header(grid, one) for one in row)


def column_headers(grid: Grid, principal: Cell) -> list[Cell]:
    """Return the column headers of a cell, by the scanning algorithm of the specification."""
    left, top, width, _ = grid.anchors[principal]
    found: list[Cell] = []
    for x in range(left, left + width):
        opaque: list[Cell] = []
        block: list[Cell] = []
        for y in range(top - 1, -1, -1):
            cell = grid.slots.get((x, y))
            if cell is None or is_empty_corner(grid, cell):
                continue
            if is_column_header(grid, cell):
                block.append(cell)
                place = grid.anchors[cell][0], grid.anchors[cell][2]
                if place not in [(grid.anchors[one][0], grid.anchors[one][2]) for one in opaque]:
                    found.append(cell)
            else:
                opaque.extend(block)
                block = []
    return [cell for cell in dict.fromkeys(found) if cell.text]


def expected(grid: Grid, cell: Cell) -> str:
    levels: dict[int, list[tuple[int, str]]] = {}
    for header in column_headers(grid, cell):
        x, y, _, _ = grid.anchors[header]
        levels.setdefault(y, []).append((x, header.text))
    return " / ".join(", ".join(text for _, text in sorted(levels[y])) for y in sorted(levels))


def has_titles(grid: Grid) -> bool:
    """Whether a row below the first one has a single header cell and no other text, which names the rows below it."""
    for row in range(1, 1 + max(y for _, y in grid.slots)):
        filled = {cell for (_, y), cell in grid.slots.items() if y == row and cell.text}
        if len(filled) == 1 and next(iter(filled)).tag == "th":
            return True
    return False


def section_html(rows: list[list[Cell]]) -> str:
    return "<tbody>" + "".join(f"<tr>{''.join(cell.html() for cell in row)}</tr>" for row in rows) + "</tbody>"


@st.composite
def tables(draw: st.DrawFn) -> list[list[list[Cell]]]:
    """Return the sections of a table, whose texts all differ; at least one row has data."""
    numbers = count()

    def cell(tag: str) -> Cell:
        number = next(numbers)
        text = f"{tag}{number}" if draw(st.integers(0, 7)) else ""
        colspan, rowspan = draw(st.sampled_from([1, 1, 1, 2])), draw(st.sampled_from([1, 1, 1, 2, 0]))
        scope = draw(st.sampled_from(_SCOPES)) if tag == "th" and text else ""
        return Cell(tag, text, colspan, rowspan, scope, number)

    def row() -> list[Cell]:
        kind = draw(st.sampled_from(["headers", "data", "data", "row header", "mixed"]))
        size = draw(st.integers(2, 4))
        tags = {"headers": ["th"] * size, "data": ["td"] * size, "row header": ["th", *["td"] * (size - 1)]}
        return [cell(tag) for tag in tags.get(kind) or [draw(st.sampled_from(["th", "td"])) for _ in range(size)]]

    return [[row() for _ in range(draw(st.integers(1, 4)))] for _ in range(draw(st.integers(1, 2)))]


@given(tables())
def test_every_cell_has_the_column_headers_of_the_specification(sections: list[list[list[Cell]]]) -> None:
    grid = form_table(sections)
    if grid is None or not any(cell.tag == "th" for cell in grid.anchors) or has_titles(grid):
        return
    body = "".join(section_html(rows) for rows in sections)
    page = read_bytes(f"<!doctype html><html><body><main><table>{body}</table></main></body></html>".encode())
    by_text = {cell.text: cell for cell in grid.anchors if cell.text}
    rows = [piece for piece in page.draft.pieces if isinstance(piece, Block) and piece.kind == "row"]
    for block in rows:
        names = {text: name for name, text in block.cells[block.groups :]}
        if not any(by_text[text].tag == "td" for text in names):
            continue  # a header row without rows of data
        for text, name in names.items():
            left, _, width, _ = grid.anchors[by_text[text]]
            is_wide = left == 0 and width > 1  # may be as wide as the table, and then it has no column name
            assert by_text[text].tag == "th" or is_wide or name == expected(grid, by_text[text]), (text, body)
    read = {text for block in rows for _, text in block.cells}
    assert {text for text, cell in by_text.items() if cell.tag == "td"} <= read
