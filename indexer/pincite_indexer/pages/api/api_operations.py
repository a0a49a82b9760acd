"""Give each operation of a web API a title with its method and path, such as `Get a room — GET /rooms/{room_id}`.

An operation is recognised by its structure: a box with an HTTP method, followed by a path. It belongs to the heading
before it. Without one, the box is the heading.
"""

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import islice

from lxml import etree

from pincite_indexer.pages.api.api_markup import BLOCKS, added, shown, take_out
from pincite_indexer.pages.elements import HEADING_TAGS
from pincite_indexer.pages.markup import is_furniture, is_hidden, one_line

__all__ = ("Operation", "find_operations", "rewrite_operations")

_METHODS = frozenset("GET POST PUT PATCH DELETE HEAD OPTIONS TRACE QUERY".split())
_METHOD_LENGTH = 40  # characters of a method with the blanks around it; a quick test
_PATH = re.compile(r"(?:https?://[^\s/]+)?/[^\s<>]*|\{\w+\}/\S*")
_ELSEWHERE = frozenset({"a", "li", "tr", "nav", "summary"})  # a box in one of these is an entry of a list of operations
_LEVELS = 2  # ancestors of a method that may end before its path
_PATH_PARTS = 30  # elements of a path
_SUMMARY_LENGTH = 200  # characters of the text beside method and path
_OWN_LEVEL = 2  # of an operation's heading on a page without headings
_LOWEST = 6
_JOINT = " — "


@dataclass(frozen=True, slots=True)
class Operation:
    """Operation: the box around its method and path, and both."""

    box: etree._Element
    method: etree._Element
    path: etree._Element

    @property
    def name(self) -> str:
        """Return the method and the path."""
        return f"{shown(self.method).upper()} {_joined(self.path)}"


def find_operations(root: etree._Element) -> list[Operation]:
    """Return the operations in a content, in order."""
    found: list[Operation] = []
    for method in root.iter(etree.Element):
        text = method.text
        if not text or len(text) > _METHOD_LENGTH or text.strip().upper() not in _METHODS or len(method):
            continue
        path = _path_after(method, root)
        if path is not None:
            around = set(path.iterancestors())
            box = next(outer for outer in method.iterancestors() if outer in around)
            if _is_box(box, f"{shown(method)} {shown(path)}", root):
                found.append(Operation(box, method, path))
    return found


def rewrite_operations(found: Sequence[Operation], root: etree._Element) -> None:
    """Put the method and path of each operation of a content into its title, in place."""
    boxes = {operation.box for operation in found}
    for operation in found:
        heading = _heading_of(operation.box, root, boxes)
        if heading is None:
            _open_section(operation, root, boxes)
        elif heading is not operation.box:
            _complete(heading, operation.name)
        _to_text(operation)


def _path_after(method: etree._Element, root: etree._Element) -> etree._Element | None:
    """Return the element whose whole text is a path, if a path is the next text after a method."""
    if (method.tail or "").strip():
        return None
    for part in _elements_after(method, root):
        if (part.text or "").strip():
            return _whole_path(part, method) if _PATH.fullmatch(_joined(part)) and not is_hidden(part) else None
        if len(part) == 0 and (part.tail or "").strip():
            return None
    return None


def _whole_path(part: etree._Element, method: etree._Element) -> etree._Element:
    """Return the element around a path whose parts, such as its parameters, are elements."""
    around = set(method.iterancestors())
    for outer in part.iterancestors():
        is_small = next(islice(outer.iter(), _PATH_PARTS, None), None) is None
        if outer in around or not is_small or not _PATH.fullmatch(_joined(outer)):
            break
        part = outer
    return part


def _joined(element: etree._Element) -> str:
    """Return the text of an element without blanks between its parts."""
    return one_line("".join(element.itertext(etree.Element)))


def _elements_after(element: etree._Element, root: etree._Element) -> Iterator[etree._Element]:
    """Yield the elements that start after an element's end, in order, within its closest ancestors."""
    for outer in (element, *islice(element.iterancestors(), _LEVELS)):
        if outer is root:
            return
        for following in outer.itersiblings():
            yield from (part for part in following.iter() if isinstance(part.tag, str))
        if (outer.tail or "").strip():
            return


def _is_box(box: etree._Element, name: str, root: etree._Element) -> bool:
    """Return whether a box shows one operation: its text starts with the name, and it is no code or entry of a list."""
    for outer in (box, *box.iterancestors()):
        if outer.tag in _ELSEWHERE or outer.tag == "code" or (outer.tag == "pre" and outer is not box):
            return False
        if is_hidden(outer) or (is_furniture(outer) and outer.tag != "button"):
            return False
        if outer is root:
            break
    text = shown(box)
    if box.tag == "pre":
        return text == name and next(box.iter("code"), None) is None
    return text.startswith(name) and len(text) <= len(name) + _SUMMARY_LENGTH


def _heading_of(box: etree._Element, root: etree._Element, boxes: Set[etree._Element]) -> etree._Element | None:
    """Return the heading of an operation: the box itself, or one before it in the same part of the page."""
    for outer in (box, *box.iterancestors()):
        if outer is root:
            return None
        if outer.tag in HEADING_TAGS or outer.tag == "dt":
            return outer if outer is box else None
        for before in outer.itersiblings(preceding=True):
            if not isinstance(before.tag, str):
                continue
            if any(part in boxes for part in before.iter()):
                return None
            heading = next(before.iter(*HEADING_TAGS), None)
            if heading is not None:
                return heading
        parent = outer.getparent()
        if outer.get("id") or (parent is not None and _has_other(parent, box, boxes)):
            return None
    return None


def _has_other(part: etree._Element, box: etree._Element, boxes: Set[etree._Element]) -> bool:
    """Return whether an element contains another operation."""
    return any(one in boxes and one is not box for one in part.iterdescendants())


def _complete(heading: etree._Element, name: str) -> None:
    """Add an operation's name to its heading, unless the heading has it; a badge in the heading becomes a paragraph."""
    for badge in [part for part in heading if isinstance(part.tag, str) and shown(part).casefold() == "deprecated"]:
        heading.addnext(take_out(badge))
        badge.tag = "p"
    if name.partition(" ")[2] not in shown(heading):
        heading.append(added(f"{_JOINT}{name}"))


def _open_section(operation: Operation, root: etree._Element, boxes: Set[etree._Element]) -> None:
    """Put a heading before an operation's box, and lower the headings of its part of the page."""
    box = operation.box
    summary = shown(box).removeprefix(f"{shown(operation.method)} {shown(operation.path)}").strip()
    level = min(_level_around(box, root) + 1, _LOWEST - 1)
    heading = etree.Element(f"h{level}")
    heading.append(added(f"{summary}{_JOINT}{operation.name}" if summary else operation.name))
    part = next((outer for outer in (box, *box.iterancestors()) if outer.get("id") or outer is root), root)
    if part is not root and not _has_other(part, box, boxes):
        for inner in part.iter(*HEADING_TAGS):
            inner.tag = f"h{max(HEADING_TAGS[str(inner.tag)], level + 1)}"
    box.addprevious(heading)


def _level_around(box: etree._Element, root: etree._Element) -> int:
    """Return the level of the nearest heading before a box that is not the heading of another operation's part."""
    for outer in (box, *box.iterancestors()):
        if outer is root:
            break
        for before in outer.itersiblings(preceding=True):
            if before.tag in HEADING_TAGS and next(before.iter("alt"), None) is None:
                return HEADING_TAGS[str(before.tag)]
    return _OWN_LEVEL - 1


def _to_text(operation: Operation) -> None:
    """Make an operation's box a paragraph with the method and the path, without buttons and blocks in it."""
    operation.method.text = shown(operation.method).upper()  # as pages show it, by a style
    box = operation.box
    for part in box.iterdescendants():
        if part.tag in BLOCKS or part.tag == "button" or part is operation.method:
            before = part.getprevious()
            for apart in (part, *([] if before is None else [before])):
                apart.tail = f"{apart.tail or ''} "
            part.tag = "span"
    if box.tag in HEADING_TAGS or box.tag == "dt":
        return
    for outer in box.iterancestors("button", "pre"):
        outer.tag = "div"
    if box.tag not in BLOCKS or box.tag == "pre":
        box.tag = "p"
