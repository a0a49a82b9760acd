"""Remove the parts of a page that its author keeps out of search: the marks of search tools and site generators.

The marks of a whole page in its `<head>` are read in `page_facts`.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from lxml import etree

from pincite_indexer.pages.elements import BLOCK_TAGS, HEADING_TAGS
from pincite_indexer.pages.markup import classes

__all__ = ("has_search_body", "may_have_marks", "remove_marked", "whole_page_mark")

_ATTRIBUTES = {
    "data-pagefind-ignore": "",
    "data-search-exclude": "",
    "data-nosnippet": "",  # search engines on the web
    "data-search-ignore": "",
    "data-no-index": "",
    "data-noindex": "",
    "data-elastic-exclude": "",  # Elastic's crawler
    "data-swiftype-index": "false",  # its predecessor, which also has the value `true`
}
"""Attributes of elements that are kept out; the value that keeps out, or empty for every value but `false`.

`docs/index-format.md` names the tools that read each mark.
"""

_CLASSES = frozenset({"no-search", "nosearch", "noindex", "robots-nocontent", "quarto-exclude-from-search-index"})
"""Classes of such elements."""

_CELLS = frozenset({"td", "th"})  # of which table scripts use the same classes: a column without a search field
_TAGS = frozenset({"noindex"})  # an element that Yandex reads
_OF_SECTIONS = frozenset({"data-search-exclude"})  # marks that, on a heading, keep out the section
_BODY = "data-pagefind-body"
_CLASS_ATTRIBUTES = 4096  # distinct attributes in the cache; a site has a few hundred
_HAS_BODY = etree.XPath(f"boolean(descendant-or-self::*/@{_BODY})")
_OFF = re.compile(r"\s*googleoff:\s*(?:index|snippet|all)\s*", re.IGNORECASE)
_ON = re.compile(r"\s*googleon:\s*(?:index|snippet|all)\s*", re.IGNORECASE)
_MAY_BE = (  # the literal start of each pattern makes its search ten times faster than one pattern for all
    re.compile(rb"data-(?:pagefind-|search-|elastic-|swiftype-|no-?(?:snippet|index))"),
    re.compile(rb"no(?:-?search|-?content|index)"),
    re.compile(rb"from-search-index"),
)
_MAY_BE_OFF = b"googleoff"  # in any case; a search that ignores case would take a third of the parsing time


def may_have_marks(source: bytes) -> bool:
    """Return whether a page's source may contain a mark; a search of the source costs less than one of the tree."""
    return any(pattern.search(source) for pattern in _MAY_BE) or _MAY_BE_OFF in source.lower()


def whole_page_mark(root: etree._Element) -> str:
    """Return the mark of a content's element or of an element around it, which keeps out the page; empty without."""
    return next(filter(None, map(_mark_of, (root, *root.iterancestors()))), "")


def has_search_body(tree: etree._Element) -> bool:
    """Return whether a page marks its content for Pagefind, which then ignores the pages without this mark."""
    return _HAS_BODY(tree) is True


def remove_marked(root: etree._Element) -> str:
    """Empty the marked parts inside an element; return the first mark, or an empty string."""
    found = ""
    for element in list(root.iterdescendants()):
        if isinstance(element, etree._Comment) and _OFF.fullmatch(element.text or ""):
            found = found or "googleoff"
            _empty_until_on(element)
        elif _may_be_marked(element) and (mark := _mark_of(element)):
            found = found or mark
            for part in _section(element) if mark in _OF_SECTIONS and element.tag in HEADING_TAGS else (element,):
                _empty(part)
    return found


def _may_be_marked(element: etree._Element) -> bool:
    """Return whether an element may have a mark; a quick test, because hardly any element has one."""
    names = element.keys()
    if not names:
        return element.tag in _TAGS
    return element.tag in _TAGS or not _ATTRIBUTES.keys().isdisjoint(names) or _has_marked_class(element.get("class"))


@lru_cache(_CLASS_ATTRIBUTES)
def _has_marked_class(attribute: str | None) -> bool:
    return attribute is not None and not _CLASSES.isdisjoint(attribute.split())


def _mark_of(element: etree._Element) -> str:
    """Return the mark that keeps an element out; empty if it has none."""
    for name, value in element.items():
        wanted = _ATTRIBUTES.get(name)
        if wanted is not None and (value.strip().lower() == wanted if wanted else value.strip().lower() != "false"):
            return name
    if element.tag in _TAGS:
        return str(element.tag)
    if element.tag in _CELLS:
        return ""
    return next((name for name in classes(element) if name in _CLASSES), "")


def _section(heading: etree._Element) -> Iterator[etree._Element]:
    """Yield a heading and the elements of its section; a wrapper with nothing else counts as the heading."""
    level, start = HEADING_TAGS[str(heading.tag)], heading
    while (outer := start.getparent()) is not None and len(outer) == 1 and outer.tag in {"div", "header", "hgroup"}:
        start = outer
    following = list(start.itersiblings())
    start.tail = None
    yield start
    for element in following:
        headings = element.iter(*HEADING_TAGS)
        if any(HEADING_TAGS[str(other.tag)] <= level for other in headings):
            return
        element.tail = None
        yield element


def _empty_until_on(comment: etree._Element) -> None:
    """Empty what follows a comment beside it, up to the comment that ends its effect."""
    comment.tail = None
    for node in list(comment.itersiblings()):
        if isinstance(node, etree._Comment) and _ON.fullmatch(node.text or ""):
            return
        node.tail = None
        if isinstance(node.tag, str):
            _empty(node)


def _empty(element: etree._Element) -> None:
    """Remove an element's text, parts and attributes; cells and items stay, for the columns and the numbers."""
    is_block = element.tag in BLOCK_TAGS or element.tag in HEADING_TAGS
    element.clear(keep_tail=True)
    if element.tag not in {*_CELLS, "tr", "li", "dt", "dd"}:
        element.tag = "div" if is_block else "span"
