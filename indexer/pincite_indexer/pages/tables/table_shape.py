"""Judge tables by their markup alone: tables that only place content, and header rows that are not marked as such."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from lxml import etree

from pincite_indexer.generators.known_generators import MERGED
from pincite_indexer.pages.elements import HEADING_TAGS
from pincite_indexer.pages.markup import has_class

__all__ = (
    "TABLE_TAGS",
    "grid_columns",
    "has_cells",
    "header_rows",
    "is_bold",
    "is_heading_row",
    "is_layout",
    "is_signature",
    "table_part",
)

TABLE_TAGS = frozenset({"table", "tr", "td", "th"})

_ROLES = {
    "table": "table",
    "grid": "table",
    "treegrid": "table",
    "rowgroup": "tbody",
    "row": "tr",
    "cell": "td",
    "gridcell": "td",
    "columnheader": "th",
    "rowheader": "th",
}
"""ARIA roles of tables built from `div` elements."""

_BOLD = frozenset({"b", "strong", *HEADING_TAGS})
_BOLD_STYLE = re.compile(r"font-weight\s*:\s*(?:bold|[6-9]00)", re.IGNORECASE)
_HEADER_CLASS = re.compile(r"(?<![a-z])(?:t?head(?:er|ing|row)?|header[_-]?row)(?![a-z])", re.IGNORECASE)
_BLOCKS = ("pre", "ul", "ol", "blockquote", "p")  # of which a cell of a data table with one row has at most one
_TYPED = re.compile(r"[`✓✔✗✘×-]|(?:yes|no|true|false)|[^\w\s]?\d[\d.,:%/x×-]*\s?[^\W\d]{0,3}", re.IGNORECASE)
_LOOK_AHEAD = 8  # rows that are compared with the first one
_LONGEST_HEADER = 40  # characters of a header cell that is not marked as one


def table_part(element: etree._Element) -> str:
    """Return the tag of the table part that a `div` element is, by its ARIA role or class; empty if it is none."""
    if role := element.get("role"):
        return _ROLES.get(role, "")
    return "table" if has_class(element, MERGED.grids) else ""


def grid_columns(table: etree._Element) -> int:
    """Return the number of columns of a table built from `div` elements without rows; 0 for other tables."""
    if not has_class(table, MERGED.grids):
        return 0
    return sum(has_class(cell, MERGED.grid_headers) for cell in table)


def is_signature(table: etree._Element) -> bool:
    """Return whether a table only aligns the parts of a signature."""
    return has_class(table, MERGED.signatures)


def is_heading_row(row: etree._Element) -> bool:
    """Return whether a row is one cell with a heading, which begins a section."""
    return len(row) == 1 and next(row.iter(*HEADING_TAGS), None) is not None


def is_layout(table: etree._Element) -> bool:
    """Return whether a table only places its content on the page.

    Such a table has a role that says so. A table without header cells is one if it has one cell, or headings or tables
    in its cells, or one row that is an admonition or has several blocks in a cell.
    """
    if table.get("role") in {"presentation", "none"}:
        return True
    if table.tag != "table" or has_cells(table, "th"):
        return False
    cells = list(islice(_own(table, "td"), 2))
    if len(cells) < 2 or _has_table(table):
        return True
    rows = list(islice(table.iter("tr"), 2))
    if any(not is_heading_row(row) for heading in table.iter(*HEADING_TAGS) for row in heading.iterancestors("tr")):
        return True
    if len(rows) > 1:
        return False
    return has_class(table.getparent(), MERGED.notes) or any(
        len(list(islice(cell.iter(*_BLOCKS), 2))) > 1 for row in rows for cell in row
    )


def has_cells(table: etree._Element, tag: str) -> bool:
    """Return whether a table has cells with a tag, apart from the tables in its cells."""
    return next(_own(table, tag), None) is not None


def _own(table: etree._Element, tag: str) -> Iterator[etree._Element]:
    if not _has_table(table):
        return table.iter(tag)
    return (one for one in table.iter(tag) if next(one.iterancestors("table"), None) is table)


def _has_table(table: etree._Element) -> bool:
    return len(list(islice(table.iter("table"), 2))) > 1


def header_rows(table: etree._Element) -> int:
    """Return the number of first rows that are header rows, of a table without header cells.

    They are the rows of `<thead>`; or a first row with such a class; or a first row in bold, if the others are not; or
    a first row of words with an empty corner, or above columns of numbers or code. A table of keys and values has none.
    """
    head = table.find("thead")
    rows = list(islice(table.iter("tr"), _LOOK_AHEAD))
    if head is not None:
        inside = sum(row.getparent() is head for row in rows)
        return inside if inside < len(rows) else 0
    cells = [[cell for cell in row if cell.tag == "td"] for row in rows]
    if len(cells) < 2 or len(cells[0]) < 2:
        return 0
    if _HEADER_CLASS.search(rows[0].get("class") or "") and all(map(_text, cells[0][1:])):
        return 1
    if _all_bold(cells[0]):
        return 0 if any(map(_all_bold, cells[1:])) else 1
    texts = [[_text(cell) for cell in row] for row in cells]
    return int(_has_empty_corner(texts) or _is_above_values(texts))


def is_bold(cell: etree._Element) -> bool:
    """Return whether a cell has text and all of it is bold."""
    if _has_bold_style(cell):
        return bool(_text(cell))
    if len(cell) == 0 or (cell.text and not cell.text.isspace()):
        return False
    holders = list(_text_holders(cell))
    return bool(holders) and all(_is_under_bold(holder, cell) for holder in holders)


def _text_holders(cell: etree._Element) -> Iterator[etree._Element]:
    """Yield the elements that contain text in a cell."""
    for element in cell.iter():
        if isinstance(element.tag, str) and element.text and not element.text.isspace():
            yield element
        parent = element.getparent()
        if element is not cell and parent is not None and element.tail and not element.tail.isspace():
            yield parent


def _is_under_bold(element: etree._Element, cell: etree._Element) -> bool:
    while element is not cell:
        if element.tag in _BOLD or _has_bold_style(element):
            return True
        parent = element.getparent()
        if parent is None:
            break
        element = parent
    return False


def _has_bold_style(element: etree._Element) -> bool:
    style = element.get("style")
    return style is not None and _BOLD_STYLE.search(style) is not None


def _all_bold(cells: Sequence[etree._Element]) -> bool:
    filled = [cell for cell in cells if _text(cell)]
    return bool(filled) and all(map(is_bold, filled))


def _text(cell: etree._Element) -> str:
    text = " ".join("".join(cell.itertext()).split())
    return f"`{text}`" if text and next(cell.iter("code"), None) is not None else text


def _has_empty_corner(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether a first row has words for all columns but the first, which names the other rows."""
    first, rest = rows[0], rows[1:]
    names = first[1:]
    is_matrix = not first[0] and len(names) > 1 and all(row and row[0] for row in rest)
    return is_matrix and len(set(names)) == len(names) and all(map(_may_be_header, names))


def _is_above_values(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether a first row of words names columns of values: at least three columns, and three rows.

    Every column between the first and the last one has only numbers, code or yes and no below the first row.
    """
    first, rest = rows[0], rows[1:]
    if len(first) < 3 or len(rest) < 2 or any(len(row) != len(first) for row in rest):
        return False
    if len(set(first)) < len(first) or not all(map(_may_be_header, first)):
        return False
    typed = [all(_is_value(row[column]) for row in rest) for column in range(len(first))]
    return all(typed[1:-1]) and any(row[column] for row in rest for column in range(1, len(first) - 1))


def _may_be_header(text: str) -> bool:
    return 0 < len(text) <= _LONGEST_HEADER and not any(map(str.isdigit, text)) and not _is_value(text)


def _is_value(text: str) -> bool:
    return not text or text.startswith("`") or _TYPED.fullmatch(text) is not None
