"""Parse HTML, even if it is invalid, and read the IDs of its elements."""

import re
from collections import Counter
from collections.abc import Callable, Iterable

from lxml import etree

__all__ = ("PageError", "element_ids", "parse", "repeated_ids", "svg_ids")

_LONG_TAG = 50_000  # bytes up to the next `<`; a shorter tag cannot have too many attributes
_MANY_ATTRIBUTES = 5_000  # attributes of one element; parsing time is quadratic in them, and no real page has a hundred
_ATTRIBUTES = re.compile(
    rb"""[a-zA-Z][^\s>]*+(?:\s++[^\s=>"']++(?:\s*+=\s*+(?>"[^"]*+"|'[^']*+'|[^\s>"']++))?+){%d}""" % _MANY_ATTRIBUTES
)
_IDS = etree.XPath("descendant-or-self::*/@id", smart_strings=False)
_NAMES = etree.XPath("descendant-or-self::a[not(@id) or @id != @name]/@name", smart_strings=False)
_SVG_IDS = etree.XPath("descendant-or-self::svg//@id", smart_strings=False)
_MAY_NAME = (re.compile(rb"name\s*="), re.compile(rb"NAME\s*="))  # IGNORECASE would be ten times slower


class PageError(Exception):
    """Error for a page that cannot be parsed completely; the page is reported instead of indexed in part."""


def parse(data: bytes, *, allow_repair: bool = True) -> etree._Element | None:
    """Return the `html` element of a UTF-8 page; None if it is not HTML, or is invalid without `allow_repair`.

    Raises:
        PageError: The parser gave up on the page.
    """
    half = _LONG_TAG // 2  # a long tag fills one of these windows without a `<`, which is rare
    if any(data.find(b"<", start, start + half) < 0 for start in range(0, len(data) - half, half)) and any(
        len(part) > _LONG_TAG and _ATTRIBUTES.match(part) for part in data.split(b"<")
    ):
        message = "one of its elements has thousands of attributes"  # parsing would take minutes per megabyte
        raise PageError(message)
    data = data.replace(b"</br>", b"<br>")  # as browsers read it
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, remove_blank_text=False, collect_ids=False)
    try:
        tree = etree.fromstring(data, parser)
    except etree.XMLSyntaxError:
        return None
    errors = parser.error_log
    if any(entry.type_name == "ERR_RESOURCE_LIMIT" for entry in errors):
        message = "its elements are nested too deeply"
        raise PageError(message)
    if errors and not allow_repair:
        return None
    return tree if isinstance(tree, etree._Element) and tree.tag == "html" else None


def element_ids(element: etree._Element, source: bytes) -> list[str]:
    """Return the IDs of an element and its descendants, and the names of anchors, once per element.

    `source` is the source of the element. Names are searched only if the source may contain any.
    """
    body = source.find(b"<body")  # names in `meta` elements before it are not anchors
    named = any(mark.search(source, max(body, 0)) for mark in _MAY_NAME)
    return [*_IDS(element), *(_NAMES(element) if named else ())]


def svg_ids(element: etree._Element) -> list[str]:
    """Return the IDs of the parts of drawings, which are not link targets."""
    return list(_SVG_IDS(element))


def repeated_ids(ids: Iterable[str], ignored: Callable[[], Iterable[str]]) -> tuple[str, ...]:
    """Return IDs of several elements, in order of first use; IDs from `ignored` do not count."""
    counts = Counter(ids)
    repeated = [name for name, count in counts.items() if count > 1]
    if repeated:
        counts.subtract(ignored())
    return tuple(name for name in repeated if counts[name] > 1)
