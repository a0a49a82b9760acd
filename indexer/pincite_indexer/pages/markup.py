"""Classify elements as content, boilerplate or blocks, by their tags and the class names of generators."""

import re
from collections.abc import Sequence
from functools import lru_cache

from lxml import etree

from pincite_core.strip_invisible import strip_invisible
from pincite_indexer.generators.generator import PageMarkup
from pincite_indexer.generators.known_generators import GENERATORS, every

__all__ = (
    "BLOCK_TAGS",
    "CONTAINER_TAGS",
    "FURNITURE_TAGS",
    "HEADING_TAGS",
    "classes",
    "content_root",
    "is_code_table",
    "is_footnote_mark",
    "is_furniture",
    "is_hidden",
    "is_label",
    "is_note",
    "is_tab_panel",
    "page_markup",
    "plain_text",
    "whole_number",
)

HEADING_TAGS = {f"h{level}": level for level in range(1, 7)}

CONTAINER_TAGS = frozenset(
    "address article aside blockquote body center dd details dialog div dl dt fieldset figcaption figure footer form "
    "header hgroup hr li main menu ol p pre section summary table tbody td tfoot th thead tr ul".split()
)
"""Elements whose ID stands for all their content; an ID on another element stands for the block around it."""

BLOCK_TAGS = CONTAINER_TAGS | frozenset({"caption", "legend", "optgroup", "option"})

FURNITURE_TAGS = frozenset(
    "script style svg button nav template noscript input select textarea iframe canvas audio video object math".split()
)
_FURNITURE_CLASSES = every(lambda generator: generator.furniture)
_FURNITURE_ROLES = frozenset({"navigation", "search"})

_BADGE_CLASSES = every(lambda generator: generator.badges)
_LINE_CLASSES = every(lambda generator: generator.own_lines)
_BY_PARENT = {names: prefix for generator in GENERATORS for names, prefix in generator.furniture_in.items()}
_FOOTNOTE_CLASSES = every(lambda generator: generator.footnote_marks)
_CODE_TABLES = every(lambda generator: generator.code_tables)
_LABEL_CLASSES = tuple(sorted(every(lambda generator: generator.labels)))
_CONTENT_CLASSES = every(lambda generator: filter(None, [generator.content_class]))
_ROOT_PATHS = tuple(
    etree.XPath(path)
    for path in (
        *(path for generator in GENERATORS for path in generator.content),
        *(path for generator in GENERATORS for path in generator.content_otherwise),
        ".//body",
    )
)
_NOTE_CLASSES = every(lambda generator: generator.notes)
_PANEL_CLASSES = every(lambda generator: generator.tab_panels)
_PANELS_AROUND = every(lambda generator: generator.tab_panels_in)
_INDENTED = ("li", "dd", "pre", "table")
_NOTE_TAGS = frozenset({"div", "aside", "section"})  # a details element counts as a section
_FORMULA = frozenset({"katex-html"})  # class of KaTeX's visual output, next to MathML, which is not text
_UNSEEN = re.compile(
    r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|font-size\s*:\s*0*\.?0+(?![.\d])|color\s*:\s*transparent)",
    re.IGNORECASE,
)
_WHITE = re.compile(
    r"(?:^|;)\s*color\s*:\s*(?:white|#fff(?:f|fff|fffff)?|rgba?\(\s*255[\s,]+255[\s,]+255\b[^)]*\)|transparent)\s*(?:!|;|$)",
    re.IGNORECASE,
)
_BACKGROUND = re.compile(r"(?:^|;)\s*background(?:-color)?\s*:\s*([^;]+)", re.IGNORECASE)
_CLASS_ATTRIBUTES = 4096  # distinct attributes in the cache; a site has a few hundred


def classes(element: etree._Element) -> list[str]:
    """Return an element's class names."""
    return (element.get("class") or "").split()


def page_markup(tree: etree._Element) -> PageMarkup:
    """Return a page's metadata and landmarks, found in one walk, because a walk takes a fifth of the parsing time."""
    found: dict[str, list[etree._Element]] = {"article": [], "nav": [], "footer": [], "script": []}
    for element in tree.iter(*found):
        found[str(element.tag)].append(element)
    return PageMarkup(tuple(classes(tree)), _metas(tree), *(tuple(elements) for elements in found.values()))


def _metas(tree: etree._Element) -> dict[str, str]:
    head = tree.find("head")
    found: dict[str, str] = {}
    for meta in (tree if head is None else head).iter("meta"):
        key = meta.get("name") or meta.get("property") or ""
        found.setdefault(key, meta.get("content") or "")
    return found


def content_root(tree: etree._Element, articles: Sequence[etree._Element]) -> etree._Element | None:
    """Return the element that contains a page's content; None for a page without a body."""
    for article in articles[:1]:  # the usual place, found quickly; an XPath visits every element
        for part in article.iter("div"):
            if not _CONTENT_CLASSES.isdisjoint(classes(part)):
                return part
    for path in _ROOT_PATHS:
        found = path(tree)
        if isinstance(found, list) and found:
            root = found[0]
            return root if isinstance(root, etree._Element) else None
    return None


def is_furniture(element: etree._Element) -> bool:
    """Return whether an element is boilerplate: controls, copy buttons, navigation, inline tables of contents."""
    if element.tag in FURNITURE_TAGS or element.get("role") in _FURNITURE_ROLES:
        return True
    names = element.get("class")
    if names is None:
        return False
    if names in _BY_PARENT:
        return _is_part_of(element, _BY_PARENT[names])
    return _furniture_class(names)


def is_hidden(element: etree._Element) -> bool:
    """Return whether an element has text that the page hides from all readers, or from all but screen readers.

    Tab panels and the direct content of a details element count as visible, because readers can open them. A formula's
    visual output counts as visible too, because it is hidden only from screen readers. Style sheets are not read.
    """
    hidden = element.get("hidden")
    style = element.get("style")
    if hidden is None and style is None and element.get("aria-hidden") is None:
        return False
    if element.get("aria-hidden") == "true" and not _FORMULA.isdisjoint(classes(element)):
        return False
    unseen = (hidden is not None and hidden != "until-found") or element.get("aria-hidden") == "true"
    unseen = unseen or (style is not None and _is_styled_away(element, style))
    return unseen and not _is_opened(element) and any(text.strip() for text in element.itertext())


def _is_styled_away(element: etree._Element, style: str) -> bool:
    if _UNSEEN.search(style):
        return True
    if not _WHITE.search(style):
        return False
    around = (one.get("style") for one in (element, *element.iterancestors()))
    background = next((found[1] for style in around if style and (found := _BACKGROUND.search(style))), "#fff")
    return _WHITE.search(f"color:{background.strip()}") is not None


def _is_opened(element: etree._Element) -> bool:
    parent = element.getparent()
    return is_tab_panel(element) or (parent is not None and parent.tag == "details")


def is_tab_panel(element: etree._Element) -> bool:
    """Return whether an element is a tab panel."""
    if element.get("role") == "tabpanel" or not _PANEL_CLASSES.isdisjoint(classes(element)):
        return True
    parent = element.getparent() if element.tag == "div" else None
    return parent is not None and not _PANELS_AROUND.isdisjoint(classes(parent))


@lru_cache(_CLASS_ATTRIBUTES)
def _furniture_class(names: str) -> bool:
    return not _FURNITURE_CLASSES.isdisjoint(names.split())


def _is_part_of(element: etree._Element, prefix: str) -> bool:
    parent = element.getparent()
    return parent is not None and any(name.startswith(prefix) for name in classes(parent))


def is_footnote_mark(element: etree._Element) -> bool:
    """Return whether an element is a footnote's mark or back link: a link target, but not text."""
    if element.tag != "a":
        return False
    if element.get("data-footnote-ref") is not None or element.get("data-footnote-backref") is not None:
        return True
    return not _FOOTNOTE_CLASSES.isdisjoint(classes(element))


def is_code_table(element: etree._Element) -> bool:
    """Return whether a table shows code with a column of line numbers, and is not a data table."""
    return element.tag == "table" and not _CODE_TABLES.isdisjoint(classes(element))


def is_label(element: etree._Element) -> bool:
    """Return whether an element is a label, such as an admonition's title or a code block's file name."""
    names = element.get("class")
    return names is not None and _label_class(names)


@lru_cache(_CLASS_ATTRIBUTES)
def _label_class(names: str) -> bool:
    return any(name.startswith(_LABEL_CLASSES) for name in names.split())


def is_note(element: etree._Element) -> bool:
    """Return whether an element is an admonition or a quotation."""
    if element.tag == "blockquote":  # around lists, code or tables a blockquote only indents
        return next(element.iter(*_INDENTED), None) is None
    names = element.get("class")
    return names is not None and element.tag in _NOTE_TAGS and _note_class(names)


@lru_cache(_CLASS_ATTRIBUTES)
def _note_class(names: str) -> bool:
    return not _NOTE_CLASSES.isdisjoint(names.split())


def plain_text(element: etree._Element) -> str:
    """Return an element's text as a name: without boilerplate and badges, with blanks collapsed."""
    if len(element) == 0 and not element.keys() and element.tag not in FURNITURE_TAGS:
        return " ".join(strip_invisible(element.text or "").split())
    parts: list[str] = []
    walker = etree.iterwalk(element, events=("start", "end", "comment"))
    for event, node in walker:
        if event == "start":
            if is_furniture(node) or is_hidden(node) or not _BADGE_CLASSES.isdisjoint(classes(node)):
                walker.skip_subtree()
            elif node.text:
                parts.append(node.text)
            continue
        if event == "end" and not _LINE_CLASSES.isdisjoint(classes(node)):
            parts.append(" ")
        if node is not element and node.tail:
            parts.append(node.tail)
    return " ".join(strip_invisible("".join(parts)).split())


def whole_number(element: etree._Element, attribute: str, default: int) -> int:
    """Return an attribute's integer value; the default if it is missing or invalid."""
    try:
        return int(element.get(attribute) or default)
    except ValueError:
        return default
