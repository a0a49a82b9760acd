"""Parse a page as a browser does: its ids and the headings of its content, with a parser other than the indexer's.

html5lib builds the tree that the HTML standard prescribes, as browsers do, and shares no code with lxml. This module
also finds the start of the content independently, by the landmarks that generators document, not by the indexer's list.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.etree.ElementTree import Element

import html5lib

__all__ = ("SeenPage", "see_page")

_HTML = "{http://www.w3.org/1999/xhtml}"
_HEADING = re.compile(r"h[1-6]")
_REFRESH = re.compile(r"\burl\s*=", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class SeenPage:
    """A page as a browser sees it.

    `ids` are all places that a fragment can name. `heading_ids` are the ids of headings in the content, or inside such
    a heading. `outside` are ids whose first element is outside the content, so a browser opens that element.
    `no_page` says why the file need not be in an index; empty for a page.
    """

    ids: frozenset[str] = frozenset()
    heading_ids: frozenset[str] = frozenset()
    outside: frozenset[str] = frozenset()
    no_page: str = ""


def see_page(file: Path) -> SeenPage:
    """Parse a file with html5lib."""
    tree = html5lib.parse(file.read_bytes(), transport_encoding="utf-8")
    elements = list(_elements(tree))
    root = _content(elements)
    inside = set(map(id, _elements(root)))
    first: dict[str, Element] = {}
    for element in elements:
        for name in _names(element):
            first.setdefault(name, element)
    return SeenPage(
        frozenset(first),
        frozenset(_heading_ids(root)),
        frozenset(name for name, element in first.items() if id(element) not in inside),
        _no_page(elements, file),
    )


def _elements(root: Element) -> Iterator[Element]:
    return (element for element in root.iter() if isinstance(element.tag, str))


def _tag(element: Element) -> str:
    return element.tag.removeprefix(_HTML)


def _names(element: Element) -> Iterator[str]:
    """Yield the names by which a fragment finds an element."""
    for name in (element.get("id"), element.get("name") if _tag(element) == "a" else None):
        if name:
            yield name


def _heading_ids(root: Element) -> Iterator[str]:
    """Yield the ids of headings and of elements in them, except in menus inside the content."""
    for element in root:
        if not isinstance(element.tag, str) or element.get("role") in {"navigation", "search"}:
            continue
        if _HEADING.fullmatch(_tag(element)):
            for part in _elements(element):
                yield from _names(part) if _tag(part) != "button" else ()
        else:
            yield from _heading_ids(element)


def _has_class(name: str) -> Callable[[Element], bool]:
    return lambda element: name in (element.get("class") or "").split()


def _content(elements: list[Element]) -> Element:
    """Return the element that holds the content, by the first landmark that the page has; otherwise the body."""
    landmarks: tuple[Callable[[Element], bool], ...] = (
        _has_class("theme-doc-markdown"),  # Docusaurus docs
        lambda element: element.get("id") == "__blog-post-container",  # Docusaurus posts
        _has_class("vp-doc"),  # VitePress
        _has_class("md-content__inner"),  # MkDocs Material
        lambda element: element.get("role") == "main",  # Sphinx
        lambda element: _tag(element) == "main",
        _has_class("main-wrapper"),  # Docusaurus pages
        lambda element: _tag(element) == "body",
    )
    return next(element for is_landmark in landmarks for element in elements if is_landmark(element))


def _no_page(elements: list[Element], file: Path) -> str:
    """Return why a file is not a page for readers."""
    if file.name == "404.html" or file.parent.name == "404":
        return "not found"
    if file.stem == "search" or file.parent.name == "search":
        return "search"
    for element in elements:
        if _tag(element) == "meta":
            content = element.get("content") or ""
            if (element.get("http-equiv") or "").lower() == "refresh" and _REFRESH.search(content):
                return "forwards"
            if element.get("name") == "robots" and "noindex" in content:
                return "noindex"
    return ""
