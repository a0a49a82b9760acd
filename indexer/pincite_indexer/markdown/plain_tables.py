"""Write tables in the form that Markdown has: one header row, and one cell in each column.

A column has the same name as in the index. A cell that spans rows is repeated, and a row that names the following rows
is bold. If header rows change the names further down, another table begins there.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from lxml import etree

from pincite_indexer.pages.elements import HEADING_TAGS
from pincite_indexer.pages.markup import plain_text
from pincite_indexer.pages.tables.table_grid import GridCell, OpenTable
from pincite_indexer.pages.tables.table_rows import close_row, left_over
from pincite_indexer.pages.tables.table_shape import (
    TABLE_TAGS,
    grid_columns,
    is_heading_row,
    is_layout,
    is_signature,
)

__all__ = ("write_tables",)

_SECTIONS = ("thead", "tbody", "tfoot")


@dataclass(slots=True)
class _Plain:
    """Table with one header row."""

    names: tuple[str, ...]
    rows: list[list[etree._Element]] = field(default_factory=list)


def write_tables(root: etree._Element) -> None:
    """Rewrite the tables of a content in place, and unwrap those that only place their content."""
    for grid in [one for one in root.iter("div") if grid_columns(one)]:
        _add_rows(grid)
    for table in list(root.iter("table")):
        if is_signature(table):
            _join_parts(table)
        elif is_layout(table):
            for part in (table, *_parts_of(table)):
                part.tag = "div"
    for table in list(root.iter("table")):
        if _table_of(table) is None and not _is_plain(table):
            _replace(table, list(_plain_tables(table)))


def _add_rows(grid: etree._Element) -> None:
    """Turn a table built from `div` elements without rows into a table with rows."""
    columns, cells = grid_columns(grid), list(grid)
    grid.tag = "table"
    for at, cell in enumerate(cells):
        cell.tag = "th" if at < columns else "td"
        if at % columns == 0:
            etree.SubElement(grid, "tr")
        grid[-1].append(cell)


def _join_parts(signature: etree._Element) -> None:
    """Turn a signature into a paragraph."""
    for part in _parts_of(signature):
        part.tag = "span"
        part.tail = f" {part.tail or ''}"
    signature.tag = "p"


def _parts_of(table: etree._Element) -> list[etree._Element]:
    return [part for part in table.iter(*_SECTIONS, *TABLE_TAGS) if part is not table and _table_of(part) is table]


def _table_of(element: etree._Element) -> etree._Element | None:
    return next(element.iterancestors("table"), None)


def _is_plain(table: etree._Element) -> bool:
    """Return whether Markdown can show a table as it is: no spans, and header cells in the first row alone."""
    rows = list(table.iter("tr"))
    if any(cell.get("colspan") or cell.get("rowspan") for row in rows for cell in row):
        return False
    has_headers = [all(cell.tag == "th" for cell in row) for row in rows]
    is_plain = bool(rows) and has_headers[0] and not any(has_headers[1:])
    return is_plain and not any(map(is_heading_row, rows))


def _plain_tables(table: etree._Element) -> Iterator[_Plain | etree._Element]:
    """Yield the parts of a table: tables with one header row, and headings."""
    state, plain = OpenTable.of(table), _Plain(())
    titles: list[list[etree._Element]] = []
    for row in [one for one in table.iter("tr") if _table_of(one) is table]:
        if is_heading_row(row):
            yield plain
            yield next(row.iter(*HEADING_TAGS))
            plain = _Plain(plain.names)
            continue
        state.open_row(row)
        for cell in row.iterchildren("td", "th"):
            state.add_cell(plain_text(cell), cell, is_header=cell.tag == "th")
        is_data = bool(close_row(state))
        if any(cell.opens_group for cell in state.cells):
            titles.append([_bold(cell) for cell in state.cells if cell.text])
        elif is_data:
            names = tuple(state.headers.name(column) for column in range(max(state.columns, state.at)))
            if plain.rows and names != plain.names:
                yield plain
                plain = _Plain(names)
            plain.names = names
            plain.rows.extend((*titles, [part for cell in state.cells for part in _parts(cell, state.row)]))
            titles = []
    plain.rows.extend([_cell(text) for _, text in row.cells] for row in left_over(state))
    yield plain


def _parts(cell: GridCell, row: int) -> list[etree._Element]:
    """Return one element for each column of a cell; its content is in the first one."""
    first = _cell(cell.text)
    if cell.row == row:
        first.text = cell.element.text
        first.extend(list(cell.element))
    return [first, *(_cell("") for _ in range(cell.width - 1))]


def _cell(text: str) -> etree._Element:
    cell = etree.Element("td")
    cell.text = text
    return cell


def _bold(cell: GridCell) -> etree._Element:
    outer = _cell("")
    etree.SubElement(outer, "strong").text = cell.text
    return outer


def _replace(table: etree._Element, plain: Sequence[_Plain | etree._Element]) -> None:
    caption, parent = table.find("caption"), table.getparent()
    if parent is None:
        return
    written = [one if isinstance(one, etree._Element) else _element(one) for one in plain if not _is_empty(one)]
    for one in written:
        one.tail = None
    if caption is not None and written:
        caption.tail = None
        caption.tag = "p"
        written.insert(0, caption)
    at = parent.index(table)
    parent[at : at + 1] = written or [etree.Element("div")]
    parent[at + max(1, len(written)) - 1].tail = table.tail


def _is_empty(part: _Plain | etree._Element) -> bool:
    return isinstance(part, _Plain) and not part.rows


def _element(plain: _Plain) -> etree._Element:
    width = max(map(len, (plain.names, *plain.rows)))
    table = etree.Element("table")
    head = etree.SubElement(etree.SubElement(table, "thead"), "tr")
    for name in (*plain.names, *[""] * (width - len(plain.names))):
        etree.SubElement(head, "th").text = name
    body = etree.SubElement(table, "tbody")
    for cells in plain.rows:
        row = etree.SubElement(body, "tr")
        row.extend([*cells, *(_cell("") for _ in range(width - len(cells)))])
    return table
