"""Write the marks of list items as text where Markdown has no such mark, and the state of tasks."""

from lxml import etree

from pincite_indexer.pages.list_numbering import BULLET, Numbering
from pincite_indexer.pages.lists import task_state

__all__ = ("write_marks", "write_task")


def write_task(element: etree._Element) -> bool:
    """Write the state of a task after its checkbox; return whether an element is one."""
    state = task_state(element, str(element.tag)) if _starts_item(element) else ""
    if state:
        element.tail = state + (element.tail or "").lstrip()
    return bool(state)


def _starts_item(element: etree._Element) -> bool:
    """Return whether an element is the first content of a list item."""
    while (parent := element.getparent()) is not None and not (parent.text or "").strip():
        if parent.tag == "li":
            return True
        if parent[0] is not element:
            return False
        element = parent
    return False


def write_marks(ordered: etree._Element) -> None:
    """Write the marks of an ordered list as text, unless Markdown numbers the items in the same way."""
    items = [child for child in ordered if child.tag == "li"]
    numbering = Numbering.of(ordered, "ol")
    first, is_plain = numbering.number, numbering.is_plain
    marks = [numbering.next_mark(item) for item in items]
    if is_plain and marks == [f"{number}." for number in range(max(first, 0), max(first, 0) + len(marks))]:
        return
    ordered.tag = "ul"
    for item, mark in zip(items, marks, strict=True):
        if mark != BULLET:
            holder = _first_holder(item)
            holder.text = f"{mark} {(holder.text or '').lstrip()}"


def _first_holder(item: etree._Element) -> etree._Element:
    """Return the paragraph that an item begins with, or the item."""
    while not (item.text or "").strip() and len(item) > 0 and item[0].tag in {"p", "div", "section"}:
        item = item[0]
    return item
