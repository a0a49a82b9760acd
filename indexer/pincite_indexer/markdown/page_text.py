"""Convert one page to Markdown, in worker processes: reduce its content to plain HTML, which `writer` converts.

Tabs and details are kept under their labels, admonitions become quotations, and code keeps its language. Links and
pictures get full URLs, so that the text can be read anywhere.
"""

import re
from collections.abc import Iterable
from pathlib import Path

from lxml import etree
from msgspec import Struct

from pincite_core.strip_invisible import strip_invisible
from pincite_core.urls import join_url
from pincite_indexer.markdown.list_marks import write_marks, write_task
from pincite_indexer.markdown.plain_tables import write_tables
from pincite_indexer.pages.code.code_blocks import CODE_TAGS, code_parts, is_code_block, is_code_table, is_gutter
from pincite_indexer.pages.elements import BLOCK_TAGS, FURNITURE_TAGS, HEADING_TAGS
from pincite_indexer.pages.lists import list_part
from pincite_indexer.pages.markup import (
    icon_text,
    is_furniture,
    is_hidden,
    is_label,
    is_note,
    is_struck,
    part_boxes,
    plain_text,
)
from pincite_indexer.pages.page_edges import set_furniture_aside, set_repeated_aside
from pincite_indexer.pages.parsing import PageError
from pincite_indexer.pages.read_page import content_element
from pincite_indexer.pages.records import Heading, Piece
from pincite_indexer.pages.rendered_text import render_text
from pincite_indexer.pages.tables.table_shape import table_part
from pincite_indexer.pages.tabs import TabReader

__all__ = ("LANGUAGE", "LINE_START", "PageText", "page_text")

LANGUAGE = "data-language"
"""Attribute of a `pre` element for its language."""

LINE_START = "\ue000"
"""Private-use character before a character that would start a Markdown block at the start of a line."""

_BLANKS = re.compile(r"[ \t\r\n\f]+")
_OPENS_BLOCK = re.compile(r"[-+](?=\s|$)|-{3}|>|#{1,6}(?=\s|$)|=+$|~{3}|\d{1,9}(?=[.)](?:\s|$))")
_BLOCKS = BLOCK_TAGS | frozenset(HEADING_TAGS)
_LEFT_OUT = FURNITURE_TAGS | {"seen"}
_KNOWN = frozenset("p div section article blockquote ul ol li table thead tbody tfoot tr td th caption pre".split())
_UNNAMED = (
    "span",
    "font",
    "label",
    "small",
    "mark",
    "abbr",
    "time",
    "u",
    "ins",
    "big",
    "tt",
    "wbr",
    "cite",
    "dfn",
    "alt",
    "slot",
    "q",
    "kbd",
    "samp",
    "var",
    "data",
)


class PageText(Struct, frozen=True, gc=False):
    """Request for a page's Markdown: its file, URL path, full URL and title.

    If `pieces` is not empty, the Markdown is written from these pieces alone. `boilerplate` has the letters of elements
    around the text that most pages have.
    """

    file: str
    path: str
    url: str
    title: str
    pieces: tuple[Piece, ...] = ()
    boilerplate: frozenset[str] = frozenset()


def page_text(site: Path, page: PageText) -> str:
    """Return a page's content as Markdown; empty if it has none or cannot be read."""
    from pincite_indexer.markdown.writer import markdown_of  # importing it takes a fifth of a small build's time

    if page.pieces:
        parts = [f"{'#' * one.level} {one.text}" if isinstance(one, Heading) else one.text for one in page.pieces]
        text = "\n\n".join(parts) + "\n"
        has_title = any(isinstance(piece, Heading) and piece.level == 1 for piece in page.pieces)
    else:
        try:
            root = content_element(site, page.file)
            if root is None:
                return ""
            has_title = any(plain_text(heading) for heading in root.iter("h1"))
            set_repeated_aside(set_furniture_aside(root), page.boilerplate)
            render_text(root, as_text=False)
            _reduce(root, page.url)
            text = markdown_of(root)
        except (OSError, PageError, RecursionError):  # the build reports unreadable pages
            return ""
    return text if has_title or not text.strip() else f"# {page.title}\n\n{text}"


def _reduce(root: etree._Element, url: str) -> None:
    """Reduce a content's element in place to plain HTML; `url` is the page's full URL, or its path."""
    for element, label in _content(root):
        if label:
            paragraph = etree.Element("p")
            etree.SubElement(paragraph, "strong").text = label
            paragraph.tail, element.text = element.text, None
            element.insert(0, paragraph)
        if element.tag == "div" and element.get("role"):
            element.tag = table_part(element) or list_part(element, "div") or "div"
        _rename(element)
        if element.tag == "ol":
            write_marks(element)
    write_tables(root)
    etree.strip_tags(root, *_UNNAMED)
    for element in list(root.iter("a", "img")):
        _resolve(element, url)
    for link in list(root.iter("a")):
        _unwrap_card(link)
    for element in root.iter():
        is_block = element.tag in _BLOCKS
        if element.tag != "pre":
            element.text = _cleaned(element.text, starts=is_block)
        if element is not root:
            element.tail = _cleaned(element.tail, starts=is_block or element.tag == "br")


def _content(root: etree._Element) -> Iterable[tuple[etree._Element, str]]:
    """Remove elements that are not content; return the others with the labels of tabs."""
    tabs = TabReader()
    kept: list[tuple[etree._Element, str]] = []
    removed: list[etree._Element] = []
    walker = etree.iterwalk(root, events=("start", "comment", "pi"))
    for event, element in walker:
        if event != "start" or (element.tag == "input" and write_task(element)):
            removed.append(element)
        elif element is not root and (
            element.tag in _LEFT_OUT or is_furniture(element) or tabs.read_labels(element) or is_hidden(element)
        ):
            removed.append(element)
            walker.skip_subtree()
        else:
            if is_struck(element):
                element.tag = "del"
            part_boxes(element)
            element.text = element.text or icon_text(element) or None
            landing = tabs.open_panel(element)
            kept.append((element, landing.label if landing else ""))
            if _is_code(element):
                walker.skip_subtree()
    for element in removed:
        parent, before, tail = element.getparent(), element.getprevious(), element.tail or ""
        if parent is None:
            continue
        if before is None:
            parent.text = (parent.text or "") + tail
        else:
            before.tail = (before.tail or "") + tail
        element.tail = None
        parent.remove(element)
    return kept


def _rename(element: etree._Element) -> None:
    """Rename an element to the plain HTML tag with the same meaning."""
    tag = str(element.tag)
    if _is_code(element):
        _reduce_code(element)
    elif is_code_table(element):
        _flatten_code_table(element)
    elif tag in {"summary", "dt", "legend"} or (tag not in HEADING_TAGS and is_label(element)):
        _rename_label(element)
    elif tag == "dd":
        element.tag = "ul"
        _wrap_content(element, "li")
    elif tag not in {"table", "li"}:
        if is_note(element):
            element.tag = "blockquote"
        elif tag == "menu":
            element.tag = "ul"
        elif tag in BLOCK_TAGS and tag not in _KNOWN:
            element.tag = "div"


def _flatten_code_table(table: etree._Element) -> None:
    """Replace a table around code by its blocks, without the column of line numbers."""
    for cell in list(table.iter("td")):
        if is_gutter(cell):
            cell.clear()
    for part in table.iter("table", "thead", "tbody", "tfoot", "tr", "td", "th"):
        part.tag = "div"


def _is_code(element: etree._Element) -> bool:
    tag = str(element.tag)
    return tag == "pre" or (tag in CODE_TAGS and is_code_block(element, tag))


def _reduce_code(pre: etree._Element) -> None:
    parts, tail = code_parts(pre), pre.tail
    pre.clear()
    pre.tag = "pre" if not parts or parts[0].is_code else "p"
    pre.text = parts[0].text if parts else ""
    if parts and parts[0].language:
        pre.set(LANGUAGE, parts[0].language)
    for part in parts[1:]:
        output = etree.Element("pre")
        output.text = part.text
        pre.addnext(output)
        pre = output
    pre.tail = tail


def _rename_label(element: etree._Element) -> None:
    """Make a label bold, unless it contains a block."""
    if _has_block(element):
        element.tag = "div"
    else:
        element.tag = "p"
        etree.strip_tags(element, "strong", "b")  # within bold text, their marks would be text
        _wrap_content(element, "strong")


def _wrap_content(element: etree._Element, tag: str) -> None:
    inner = etree.Element(tag)
    inner.text, element.text = element.text, None
    inner.extend(list(element))
    element.append(inner)


def _resolve(element: etree._Element, url: str) -> None:
    """Set the full URL of a link or picture; a link without a target, or with embedded data, becomes plain text."""
    name = "href" if element.tag == "a" else "src"
    value = element.get(name)
    if value is None or value.startswith("data:"):
        element.tag = "div" if _has_block(element) else "span"
        parent = element.getparent()
        if parent is not None:
            etree.strip_tags(parent, "span")
    elif (full := join_url(url, value)) is not None:
        element.set(name, full)


def _has_block(element: etree._Element) -> bool:
    return next(element.iterdescendants(*_BLOCKS), None) is not None


def _unwrap_card(link: etree._Element) -> None:
    """Move a link around blocks, as in a card, into the first block."""
    blocks = [part for part in link.iterdescendants(*_BLOCKS) if not _has_block(part)]
    if not blocks:
        return
    if next(blocks[0].iter("a"), None) is None:
        _wrap_content(blocks[0], "a")
        blocks[0][0].set("href", link.get("href") or "")
    link.tag = "div"


def _cleaned(text: str | None, *, starts: bool) -> str | None:
    """Return a text with collapsed blanks; `starts` marks a character that would start a Markdown block.

    For a number, the character after it is marked.
    """
    if not text:
        return text
    text = _BLANKS.sub(" ", strip_invisible(text).replace(LINE_START, "").replace("\u00ad", ""))
    if not starts:
        return text
    text = text.lstrip()
    match = _OPENS_BLOCK.match(text)
    if match is None:
        return text
    place = match.end() if text[0].isdigit() else 0
    return text[:place] + LINE_START + text[place:]
