"""Count the parts of a page's content whose text cannot be read, for `pincite check`: frames, canvases, pictures.

Some themes leave parts of a page to a script, such as the parameters of an API. The built page has an empty element.
"""

from collections import Counter
from collections.abc import Callable

from lxml import etree

from pincite_indexer.generators.known_generators import MERGED
from pincite_indexer.pages.markup import has_class, is_furniture, is_hidden, whole_number

__all__ = ("unread_parts",)

_NAMES = ("alt", "aria-label", "aria-labelledby", "title")  # attributes that give a picture a text
_DECORATIVE = frozenset({"presentation", "none"})


def unread_parts(root: etree._Element) -> tuple[tuple[str, int], ...]:
    """Return the kinds of unreadable parts in a content with their numbers, most frequent first."""
    counts: Counter[str] = Counter()
    for element in root.iter(*_KINDS):
        kind, is_unread = _KINDS[str(element.tag)]
        if is_unread(element) and not _is_out_of_sight(element, root):
            counts[kind] += 1
    return tuple(counts.most_common())


def _is_picture_without_text(element: etree._Element) -> bool:
    if element.tag == "svg" and element.get("role") != "img":
        return False  # without the role, a drawing is decorative
    if element.get("role") in _DECORATIVE or any(element.get(name) is not None for name in _NAMES):
        return False
    is_pixel = max(whole_number(element, "width", 2), whole_number(element, "height", 2)) < 2  # it only counts readers
    return not is_pixel and next(element.iter("title"), None) is None


def _is_closed(element: etree._Element) -> bool:
    return (element.get("shadowrootmode") or "").lower() == "closed"


def _has_no_text(element: etree._Element) -> bool:
    return not "".join(element.itertext()).strip()


def _is_placeholder(element: etree._Element) -> bool:
    is_known = has_class(element, MERGED.placeholders) or not MERGED.placeholder_attributes.isdisjoint(element.keys())
    return is_known and _has_no_text(element)


def _is_frame(element: etree._Element) -> bool:
    return bool(element.get("src") or element.get("srcdoc") or element.get("data"))


def _is_out_of_sight(element: etree._Element, root: etree._Element) -> bool:
    """Return whether an element is in a menu, a hidden part or other boilerplate."""
    if is_hidden(element):
        return True
    for outer in element.iterancestors():
        if outer is root:
            return False
        if is_furniture(outer) or is_hidden(outer):
            return True
    return False


_KINDS: dict[str, tuple[str, Callable[[etree._Element], bool]]] = {
    "img": ("image without alt", _is_picture_without_text),
    "svg": ("drawing without title", _is_picture_without_text),
    "canvas": ("canvas without text", _has_no_text),
    "template": ("closed shadow root", _is_closed),
    "iframe": ("iframe", _is_frame),
    "object": ("object", _is_frame),
    "embed": ("embed", _is_frame),
    "div": ("part that a script fills", _is_placeholder),
}
"""Elements whose content may be unreadable: the name of the kind, and the test."""
