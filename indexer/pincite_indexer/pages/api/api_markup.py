"""Read and build the markup of a web API's description, for the modules that rewrite it."""

from collections.abc import Iterable, Mapping, Sequence

from lxml import etree

from pincite_indexer.pages.elements import BLOCK_TAGS, HEADING_TAGS
from pincite_indexer.pages.markup import one_line

__all__ = (
    "BADGES",
    "BLOCKS",
    "CONTROLS",
    "FIELD_TAGS",
    "Cells",
    "added",
    "cleared",
    "has_block",
    "shown",
    "table_of",
    "take_out",
)

BLOCKS = BLOCK_TAGS | frozenset(HEADING_TAGS)
CONTROLS = frozenset("input select textarea svg script style template".split())
"""Elements without text of the description; a button may have text, such as a field's name."""

BADGES = {"required": "Required", "optional": "Required", "deprecated": "Deprecated"}
"""Badges beside a field's name, by their text, with their columns."""

FIELD_TAGS = ("tr", "div", "li")
"""Elements that can be the box around a field."""

Cells = Mapping[str, str | Sequence[etree._Element]]
"""Cells of a row by column name: a text, or elements to move into the cell."""


def shown(element: etree._Element) -> str:
    """Return an element's text on one line, with a blank between boxes that no text separates."""
    parts: list[str] = []
    walker = etree.iterwalk(element, events=("start", "end", "comment"))
    for event, part in walker:
        if event == "start":
            if part.tag in CONTROLS:
                walker.skip_subtree()
            elif part.tag == "br" or part.tag in BLOCKS or (parts and parts[-1] == ""):
                parts.append(" ")
            if part.text and part.tag not in CONTROLS:
                parts.append(part.text)
            continue
        if part.tag in BLOCKS:
            parts.append(" ")
        if part is not element and (part.tail or (event == "end" and part.tag != "wbr")):
            parts.append(part.tail or "")  # an empty part stands between two elements
    return one_line("".join(parts))


def has_block(element: etree._Element) -> bool:
    """Return whether an element contains a block."""
    return any(part.tag in BLOCKS for part in element.iterdescendants())  # tags as arguments would cost more


def added(text: str) -> etree._Element:
    """Return an element with a text that the page does not show."""
    element = etree.Element("alt")
    element.text = text
    return element


def take_out(element: etree._Element) -> etree._Element:
    """Remove an element from its parent and return it; the text after it stays."""
    parent, before = element.getparent(), element.getprevious()
    if parent is not None:
        if before is None:
            parent.text = (parent.text or "") + (element.tail or "")
        else:
            before.tail = (before.tail or "") + (element.tail or "")
        element.tail = None
        parent.remove(element)
    return element


def cleared(element: etree._Element) -> None:
    """Remove the text and line breaks of an element; elements stay, because their IDs are link targets."""
    for part in list(element.iter("br")):
        take_out(part)
    for part in element.iter():
        if part is not element:
            part.tail = None
        if isinstance(part.tag, str):
            part.text = None


def table_of(rows: Sequence[tuple[Cells, str]], columns: Iterable[str]) -> etree._Element:
    """Return a table of rows (cells by column name, ID), with the columns that some row has."""
    names = [name for name in columns if any(name in cells for cells, _ in rows)]
    table = etree.Element("table")
    head = etree.SubElement(etree.SubElement(table, "thead"), "tr")
    for name in names:
        etree.SubElement(head, "th").append(added(name))
    body = etree.SubElement(table, "tbody")
    for cells, anchor in rows:
        row = etree.SubElement(body, "tr", {"id": anchor} if anchor else {})
        for name in names:
            cell, content = etree.SubElement(row, "td"), cells.get(name, "")
            if isinstance(content, str):
                cell.text = content
            else:
                cell.extend([take_out(part) for part in content])
    return table
