"""Reduce a page's content to plain HTML that has a Markdown equivalent.

Tabs and details are kept under their labels, remarks become quotations, and code keeps its language. Links and pictures
get full URLs, so that the text can be read anywhere.
"""

import re
from collections.abc import Iterable

from lxml import etree

from pincite_core.strip_invisible import strip_invisible
from pincite_core.urls import join_url
from pincite_indexer.pages.code_blocks import code_text
from pincite_indexer.pages.markup import (
    BLOCK_TAGS,
    FURNITURE_TAGS,
    HEADING_TAGS,
    is_code_table,
    is_furniture,
    is_hidden,
    is_label,
    is_note,
)
from pincite_indexer.pages.tabs import TabReader

__all__ = ("LANGUAGE", "LINE_START", "reduced")

LANGUAGE = "data-language"
"""Attribute of a `pre` element for its language."""

LINE_START = "\ue000"
"""Private-use character before a character that would start a Markdown block at the start of a line."""

_BLANKS = re.compile(r"[ \t\r\n\f]+")
_OPENS_BLOCK = re.compile(r"[-+](?=\s|$)|-{3}|>|#{1,6}(?=\s|$)|=+$|~{3}|\d{1,9}(?=[.)](?:\s|$))")
_BLOCKS = BLOCK_TAGS | frozenset(HEADING_TAGS)
_KNOWN = frozenset("p div section article blockquote ul ol li table thead tbody tfoot tr td th caption pre".split())
_UNNAMED = ("span", "font", "label", "small", "mark", "abbr", "time", "u", "ins", "big", "tt", "wbr", "cite", "dfn")
_TABLE_PARTS = ("table", "thead", "tbody", "tfoot", "tr", "td", "th")
_EMBEDDED = "data:"


def reduced(root: etree._Element, url: str) -> etree._Element:
    """Reduce a content's element in place, and return it.

    Args:
        root: The element, in a tree that is not used afterwards.
        url: The page's full URL, or its path if the site's origin is unknown.
    """
    for element, landing in _content(root):
        if landing:
            _put_first(element, landing)
        _rename(element)
    etree.strip_tags(root, *_UNNAMED)
    for element in list(root.iter("a", "img")):
        _resolve(element, url)
    for element in list(root.iter("a")):
        _unwrap_card(element)
    _clean_texts(root)
    return root


def _content(root: etree._Element) -> Iterable[tuple[etree._Element, str]]:
    """Remove elements that are not content; return the others with the labels of tabs and details."""
    tabs = TabReader()
    kept: list[tuple[etree._Element, str]] = []
    gone: list[etree._Element] = []
    walker = etree.iterwalk(root, events=("start", "comment", "pi"))
    for event, element in walker:
        tag = element.tag
        if event != "start" or (element is not root and _is_no_content(element, tabs)):
            gone.append(element)
            if event == "start":
                walker.skip_subtree()
            continue
        landing = tabs.enter(element)
        kept.append((element, landing.label if landing else ""))
        if tag == "pre":
            walker.skip_subtree()
    for element in gone:
        _remove(element)
    return kept


def _is_no_content(element: etree._Element, tabs: TabReader) -> bool:
    return element.tag in FURNITURE_TAGS or is_furniture(element) or tabs.labels(element) or is_hidden(element)


def _remove(element: etree._Element) -> None:
    parent = element.getparent()
    if parent is not None:
        _append_text(parent, element.getprevious(), element.tail or "")
        element.tail = None
        parent.remove(element)


def _append_text(parent: etree._Element, before: etree._Element | None, text: str) -> None:
    """Add text after an element, or at the start of its parent."""
    if before is None:
        parent.text = (parent.text or "") + text
    else:
        before.tail = (before.tail or "") + text


def _rename(element: etree._Element) -> None:
    """Rename an element to the plain HTML tag with the same meaning."""
    tag = str(element.tag)
    if tag == "pre":
        _reduce_code(element)
    elif is_code_table(element):
        for part in element.iter(*_TABLE_PARTS):
            part.tag = "div"
    elif tag in {"summary", "dt", "legend"} or (tag not in HEADING_TAGS and is_label(element)):
        _rename_label(element)
    elif tag == "dd":
        element.tag = "ul"
        _wrap_content(element, "li")
    elif tag in {"table", "li"}:
        pass
    elif is_note(element):
        element.tag = "blockquote"
    elif tag == "menu":
        element.tag = "ul"
    elif tag in BLOCK_TAGS and tag not in _KNOWN:
        element.tag = "div"


def _rename_label(element: etree._Element) -> None:
    """Make a label bold, unless it contains a block."""
    if _holds_block(element):
        element.tag = "div"
    else:
        element.tag = "p"
        _wrap_content(element, "strong")


def _reduce_code(pre: etree._Element) -> None:
    code, language = code_text(pre)
    tail = pre.tail
    pre.clear()
    pre.text, pre.tail = code, tail
    if language:
        pre.set(LANGUAGE, language)


def _wrap_content(element: etree._Element, tag: str) -> None:
    inner = etree.Element(tag)
    inner.text, element.text = element.text, None
    inner.extend(list(element))
    element.append(inner)


def _put_first(element: etree._Element, label: str) -> None:
    paragraph = etree.Element("p")
    etree.SubElement(paragraph, "strong").text = label
    paragraph.tail, element.text = element.text, None
    element.insert(0, paragraph)


def _resolve(element: etree._Element, url: str) -> None:
    name = "href" if element.tag == "a" else "src"
    value = element.get(name)
    if value is None or value.startswith(_EMBEDDED):
        element.tag = "div" if _holds_block(element) else "span"
        parent = element.getparent()
        if parent is not None:
            etree.strip_tags(parent, "span")
        return
    whole = join_url(url, value)
    if whole is not None:
        element.set(name, whole)


def _holds_block(element: etree._Element) -> bool:
    return next(element.iterdescendants(*_BLOCKS), None) is not None


def _unwrap_card(link: etree._Element) -> None:
    """Move a link around blocks, as in a card, into the first block."""
    blocks = [part for part in link.iterdescendants(*_BLOCKS) if next(part.iterdescendants(*_BLOCKS), None) is None]
    if not blocks:
        return
    if next(blocks[0].iter("a"), None) is None:
        _wrap_content(blocks[0], "a")
        blocks[0][0].set("href", link.get("href") or "")
    link.tag = "div"


def _clean_texts(root: etree._Element) -> None:
    for element in root.iter():
        is_block = element.tag in _BLOCKS
        if element.tag != "pre":
            element.text = _cleaned(element.text, starts=is_block)
        if element is not root:
            element.tail = _cleaned(element.tail, starts=is_block or element.tag == "br")


def _cleaned(text: str | None, *, starts: bool) -> str | None:
    if not text:
        return text
    text = _BLANKS.sub(" ", strip_invisible(text).replace(LINE_START, ""))
    stripped = text.lstrip()
    return _marked(stripped) if starts else text


def _marked(text: str) -> str:
    """Mark the character that would start a Markdown block; for a number, mark the character after it."""
    match = _OPENS_BLOCK.match(text)
    if match is None:
        return text
    at = match.end() if text[0].isdigit() else 0
    return text[:at] + LINE_START + text[at:]
