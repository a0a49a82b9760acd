"""Find the parameters and fields in the description of a web API, by classes, by attributes and by structure.

A tool whose classes are unknown shows a field as boxes in one line, such as `room_id`, `uuid` and `required`. The boxes
with the badge show what a field looks like, and the boxes beside them with the same class are fields as well.
"""

import re
from collections.abc import Iterator

from lxml import etree

from pincite_indexer.generators.known_generators import MERGED
from pincite_indexer.pages.api.api_markup import BADGES, FIELD_TAGS, has_block, shown
from pincite_indexer.pages.elements import BLOCK_TAGS, HEADING_TAGS
from pincite_indexer.pages.markup import has_class

__all__ = ("find_fields",)

_IDENTIFIER = re.compile(r"[A-Za-z_$@][\w$@.\-\[\]]*")
_LEVELS = 2  # boxes between a field's line of badges and the box with its description
_ABOUT = frozenset({"p", "div", "ul", "span", "small", "details"})  # what stands beside such a line


def find_fields(root: etree._Element, *, by_structure: bool) -> dict[etree._Element, etree._Element]:
    """Return the fields in a content, in order, each with the element that has its name."""
    known = {one: name for one in root.iter(*FIELD_TAGS) if (name := _name_of(one)) is not None}
    if known or not by_structure:
        return known
    found: dict[etree._Element, etree._Element] = {}
    for badge in root.iter("span", "em", "strong", "b", "i", "code", "small", "div"):
        line = badge.getparent()
        if (badge.text or "").strip().casefold() in BADGES and line is not None and line not in found.values():
            found.update(_alike(line, root))
    return {one: found[one] for one in root.iter(*FIELD_TAGS) if one in found}


def _name_of(element: etree._Element) -> etree._Element | None:
    """Return the element with the name of a field; None if an element is no field of a known tool."""
    cell = element.find("td") if element.tag == "tr" else None
    is_field = has_class(element, MERGED.api_fields) or element.get("data-param-name") is not None
    if not is_field and (cell is None or cell.get("kind") != "field"):
        return None
    for part in element.iterdescendants():
        if has_class(part, MERGED.api_names):
            return part
        if has_class(part, MERGED.api_fields) or part.tag == "table":
            break
    return cell


def _alike(line: etree._Element, root: etree._Element) -> Iterator[tuple[etree._Element, etree._Element]]:
    """Yield the fields like that of a line of badges, each with its name; none if the line shows no field."""
    box = _box_around(line, root) if _first_of(line) is not None else None
    if box is None:
        return
    parent = box.getparent()
    for one in () if parent is None else parent:
        if (one.tag, one.get("class")) == (box.tag, box.get("class")):
            name = _start(one)
            if name is not None:
                yield one, name


def _first_of(line: etree._Element) -> etree._Element | None:
    """Return the first of the boxes in a line if it is a field's name; None if the line has text between boxes."""
    parts = [part for part in line if isinstance(part.tag, str)]
    texts = [line.text, *(part.tail for part in parts)]
    if len(parts) < 2 or any(text and text.strip() for text in texts) or line.tag in {"p", "tr", *HEADING_TAGS}:
        return None
    name = parts[0]
    is_name = name.tag not in {"a", "p", *HEADING_TAGS} and not has_block(name) and _IDENTIFIER.fullmatch(shown(name))
    return name if is_name and shown(name).casefold() not in BADGES else None


def _box_around(line: etree._Element, root: etree._Element) -> etree._Element | None:
    """Return the box of a field: the line of its badges, or a box that starts with the line, with its description."""
    box = line
    for _ in range(_LEVELS):
        parent = box.getparent()
        is_start = (
            parent is not None and parent is not root and parent.index(box) == 0 and not (parent.text or "").strip()
        )
        if parent is None or not is_start or (box.tag in FIELD_TAGS and not _describes(parent, box)):
            break
        box = parent
    return box if box.tag in FIELD_TAGS and box is not root else None


def _describes(parent: etree._Element, line: etree._Element) -> bool:
    """Return whether what follows a line in its parent is a description, and not another line like it."""
    rest = list(line.itersiblings("*"))
    if parent.tag not in BLOCK_TAGS or parent.tag in {"ul", "ol"} or not rest:
        return False
    alike = line.get("class") or "-"
    return all(part.tag in _ABOUT and part.get("class") != alike and _start(part) is None for part in rest)


def _start(box: etree._Element) -> etree._Element | None:
    """Return the name that a box starts with, in the line of its first boxes; None if it starts otherwise."""
    for _ in range(_LEVELS + 1):
        name = _first_of(box)
        if name is not None or len(box) == 0 or (box.text or "").strip():
            return name
        box = box[0]
    return None
