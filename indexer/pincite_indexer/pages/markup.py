"""Classify elements by their tags and the class names of generators: content, boilerplate, blocks, tabs."""

import re
from collections.abc import Sequence
from functools import lru_cache

from lxml import etree

from pincite_core.strip_invisible import strip_invisible
from pincite_core.types import Landing
from pincite_indexer.generators.generator import PageMarkup
from pincite_indexer.generators.known_generators import GENERATORS, MERGED

__all__ = (
    "BLOCK_TAGS",
    "CONTAINER_TAGS",
    "FURNITURE_TAGS",
    "HEADING_TAGS",
    "LABEL_LENGTH",
    "TabReader",
    "classes",
    "content_root",
    "has_class",
    "is_footnote_mark",
    "is_furniture",
    "is_hidden",
    "is_label",
    "is_note",
    "one_line",
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

LABEL_LENGTH = 300  # characters of a label of a tab or details element that are stored with its content

_CONTENT_CLASSES = frozenset(generator.content_class for generator in GENERATORS) - {""}
_ROOT_PATHS = [etree.XPath(path) for path in (*MERGED.content, *MERGED.content_otherwise, ".//body")]
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


def has_class(element: etree._Element | None, names: frozenset[str]) -> bool:
    """Return whether an element has one of some classes; False for None."""
    own = None if element is None else element.get("class")
    return own is not None and not names.isdisjoint(own.split())


def page_markup(tree: etree._Element) -> PageMarkup:
    """Return a page's metadata and landmarks, found in one walk, because a walk takes a fifth of the parsing time."""
    found: dict[str, list[etree._Element]] = {"article": [], "nav": [], "footer": [], "script": []}
    for element in tree.iter(*found):
        found[str(element.tag)].append(element)
    head = tree.find("head")
    metas: dict[str, str] = {}
    for meta in (tree if head is None else head).iter("meta"):
        metas.setdefault(meta.get("name") or meta.get("property") or "", meta.get("content") or "")
    return PageMarkup(tuple(classes(tree)), metas, *(tuple(elements) for elements in found.values()))


def content_root(tree: etree._Element, articles: Sequence[etree._Element]) -> etree._Element | None:
    """Return the element that contains a page's content; None for a page without a body."""
    for article in articles[:1]:  # the usual place, found quickly; an XPath visits every element
        for part in article.iter("div"):
            if has_class(part, _CONTENT_CLASSES):
                return part
    for path in _ROOT_PATHS:
        found = path(tree)
        if isinstance(found, list) and found:
            root = found[0]
            return root if isinstance(root, etree._Element) else None
    return None


def is_furniture(element: etree._Element) -> bool:
    """Return whether an element is boilerplate: controls, copy buttons, navigation, inline tables of contents."""
    if element.tag in FURNITURE_TAGS or element.get("role") in {"navigation", "search"}:
        return True
    names = element.get("class")
    if names is None:
        return False
    if names in MERGED.furniture_in:
        parent = element.getparent()
        return parent is not None and any(name.startswith(MERGED.furniture_in[names]) for name in classes(parent))
    return _class_meanings(names)[0]


@lru_cache(_CLASS_ATTRIBUTES)
def _class_meanings(attribute: str) -> tuple[bool, bool, bool]:
    """Return whether a class attribute marks boilerplate, a label, and an admonition."""
    names = attribute.split()
    is_label = any(name.startswith(MERGED.labels) for name in names)
    return not MERGED.furniture.isdisjoint(names), is_label, not MERGED.notes.isdisjoint(names)


def is_hidden(element: etree._Element) -> bool:
    """Return whether an element has text that the page hides from all readers, or from all but screen readers.

    Tab panels and the direct content of a details element count as visible, because readers can open them. A formula's
    visual output counts as visible too, because it is hidden only from screen readers. Style sheets are not read.
    """
    hidden = element.get("hidden")
    style = element.get("style")
    if hidden is None and style is None and element.get("aria-hidden") is None:
        return False
    if element.get("aria-hidden") == "true" and has_class(element, _FORMULA):
        return False
    unseen = (hidden is not None and hidden != "until-found") or element.get("aria-hidden") == "true"
    if not unseen and (style is None or not _hides_text(style, element)):
        return False
    parent = element.getparent()
    can_be_opened = _is_tab_panel(element) or (parent is not None and parent.tag == "details")
    return not can_be_opened and any(text.strip() for text in element.itertext())


def _hides_text(style: str, element: etree._Element) -> bool:
    """Return whether an element's style hides its text, for example as white text on a white background."""
    if _UNSEEN.search(style):
        return True
    if not _WHITE.search(style):
        return False
    styles = (one.get("style") for one in (element, *element.iterancestors()))
    background = next((found[1] for style in styles if style and (found := _BACKGROUND.search(style))), "#fff")
    return _WHITE.search(f"color:{background.strip()}") is not None


def _is_tab_panel(element: etree._Element) -> bool:
    if element.get("role") == "tabpanel" or has_class(element, MERGED.tab_panels):
        return True
    return element.tag == "div" and has_class(element.getparent(), MERGED.tab_panels_in)


def is_footnote_mark(element: etree._Element) -> bool:
    """Return whether an element is a footnote's mark or back link: a link target, but not text."""
    if element.tag != "a":
        return False
    if element.get("data-footnote-ref") is not None or element.get("data-footnote-backref") is not None:
        return True
    return has_class(element, MERGED.footnote_marks)


def is_label(element: etree._Element) -> bool:
    """Return whether an element is a label, such as an admonition's title or a code block's file name."""
    names = element.get("class")
    return names is not None and _class_meanings(names)[1]


def is_note(element: etree._Element) -> bool:
    """Return whether an element is an admonition or a quotation."""
    if element.tag == "blockquote":  # around lists, code or tables a blockquote only indents
        return next(element.iter("li", "dd", "pre", "table"), None) is None
    names = element.get("class")
    return names is not None and element.tag in _NOTE_TAGS and _class_meanings(names)[2]


def plain_text(element: etree._Element) -> str:
    """Return an element's text as a name: without boilerplate and badges, with blanks collapsed."""
    if len(element) == 0 and not element.keys() and element.tag not in FURNITURE_TAGS:
        return one_line(element.text or "")
    parts: list[str] = []
    walker = etree.iterwalk(element, events=("start", "end", "comment"))
    for event, node in walker:
        if event == "start":
            if is_furniture(node) or is_hidden(node) or has_class(node, MERGED.badges):
                walker.skip_subtree()
            elif node.text:
                parts.append(node.text)
            continue
        if event == "end" and has_class(node, MERGED.own_lines):
            parts.append(" ")
        if node is not element and node.tail:
            parts.append(node.tail)
    return one_line("".join(parts))


def one_line(text: str) -> str:
    """Return the visible characters of a text, with blanks collapsed."""
    return " ".join(strip_invisible(text).split())


def whole_number(element: etree._Element, attribute: str, default: int) -> int:
    """Return an attribute's integer value; the default if it is missing or invalid."""
    try:
        return int(element.get(attribute) or default)
    except ValueError:
        return default


class TabReader:
    """Match tab labels to tab panels, so that a link to hidden content can open its tab.

    All labels precede all panels, or a label precedes each panel. Groups may be nested.
    """

    def __init__(self) -> None:
        self._groups: list[list[str]] = []  # labels without a panel so far, the next one last

    def read_labels(self, element: etree._Element) -> bool:
        """Read a tab label or a list of tab labels; return whether the element is one, and so not content."""
        if (
            element.tag == "label"
            and has_class(element, MERGED.tab_label)
            and has_class(element.getparent(), MERGED.tab_panels_in)
        ):
            labels = [element]
        elif element.get("role") == "tablist" or (
            has_class(element, MERGED.tab_labels) and has_class(element.getparent(), MERGED.tab_groups)
        ):
            labels = [child for child in element if child.tag in {"li", "label", "button"}]
        else:
            return False
        self._groups.append([plain_text(label)[:LABEL_LENGTH] for label in reversed(labels)])
        return True

    def open_panel(self, element: etree._Element) -> Landing | None:
        """Return the tab of a panel that starts here; None if the element is not a panel or has no label."""
        if not _is_tab_panel(element):
            return None
        while self._groups and not self._groups[-1]:
            self._groups.pop()
        return Landing("tab", self._groups[-1].pop()) if self._groups else None
