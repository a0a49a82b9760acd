"""Classify elements by their tags and the class names of generators: content, boilerplate, blocks, tabs."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from functools import lru_cache

from lxml import etree

from pincite_core.strip_invisible import strip_invisible
from pincite_indexer.generators.generator import PageMarkup
from pincite_indexer.generators.known_generators import GENERATORS, MERGED
from pincite_indexer.pages.content_part import content_part, is_whole, named_part
from pincite_indexer.pages.elements import BLOCK_TAGS, FURNITURE_TAGS, tags_that_show

__all__ = (
    "LABEL_LENGTH",
    "InlineText",
    "classes",
    "content_root",
    "has_class",
    "icon_text",
    "is_furniture",
    "is_hidden",
    "is_label",
    "is_note",
    "is_ordinary",
    "is_struck",
    "is_tab_panel",
    "one_line",
    "page_markup",
    "part_boxes",
    "plain_text",
    "whole_number",
)


def _names_in(value: object) -> Iterable[str]:
    """Return the names in a collection of a generator's record."""
    return value if isinstance(value, frozenset | Mapping) else ()


LABEL_LENGTH = 300  # characters of a label of a tab or details element that are stored with its content

_ALL_COUNT = frozenset({"robots", "x-robots-tag", "pincite"})  # metadata of which a page may have several elements
_CONTENT_CLASSES = frozenset(generator.content_class for generator in GENERATORS) - {""}
_STARTS_WITH_CLASS = re.compile(r'\(?\.//\w+\[contains\(concat\(" ", @class, " "\), " ([\w-]+) "\)\][^|]*')
_ROOT_PATHS = [
    (etree.XPath(path), match[1].encode() if (match := _STARTS_WITH_CLASS.fullmatch(path)) else b"")
    for path in (*MERGED.content, *MERGED.content_otherwise, ".//body")
]
"""Each path, with the class that its elements have; a search of the source costs less than one of the tree."""
_NOTE_TAGS = frozenset({"div", "aside", "section"})  # a details element counts as a section
_UNSEEN = re.compile(
    r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|font-size\s*:\s*0*\.?0+(?![.\d])|color\s*:\s*transparent|opacity\s*:\s*0*\.?0+(?![.\d]))",
    re.IGNORECASE,
)
_WHITE = re.compile(
    r"(?:^|;)\s*color\s*:\s*(?:white|#fff(?:f|fff|fffff)?|rgba?\(\s*255[\s,]+255[\s,]+255\b[^)]*\)|transparent)\s*(?:!|;|$)",
    re.IGNORECASE,
)
_BACKGROUND = re.compile(r"(?:^|;)\s*background(?:-color)?\s*:\s*([^;]+)", re.IGNORECASE)
_CLIPPED = re.compile(r"(?:^|[;\s])clip(?:-path)?\s*:\s*(?:rect\(\s*[01]|inset\(\s*(?:50|100)%)", re.IGNORECASE)
_VISUALLY_HIDDEN = frozenset(  # classes of texts for screen readers, in common style sheets
    "sr-only visually-hidden visuallyhidden visuallyHidden screen-reader-text screen-reader-only screenreader-only "
    "show-for-sr a11y-hidden is-sr-only".split()
)
_ICON_FONTS = ("material-icons", "material-symbols")  # start of the class of an icon whose text is its name in a font
_FURNITURE_ROLES = frozenset("navigation search dialog alertdialog menu menubar contentinfo".split())
_STRUCK = frozenset({"line-through", "strikethrough", "struck"})
_PICTURES = ("img", "svg", "alt", "i", "picture")
_BADGE = re.compile(
    r"badge|chip|pill|^(?:tag|label)(?:-|$)|(?:^|-)flag(?:-|$)", re.IGNORECASE
)  # drawn as a box of its own, without blanks
_PARTING = frozenset({"alt", "img", "svg", "br", "button", "input", "select"})  # drawn between the texts beside them
_BOXES = tags_that_show("text", "code") | {"alt"}
_LINE_TAGS = BLOCK_TAGS | {"br"}
_FIRST_UNPARTED = "\u0e00"  # the scripts without spaces between words come after most others
_TELLING = frozenset({"role", "hidden", "style", "for", "data-snack-files"})  # attributes that tell what an element is
_TELLING_CLASSES = frozenset(name for field in fields(MERGED) for name in _names_in(getattr(MERGED, field.name)))
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
    found: dict[str, list[etree._Element]] = {"article": [], "nav": [], "footer": [], "script": [], "meta": []}
    for element in tree.iter(*found):
        found[str(element.tag)].append(element)
    metas: dict[str, str] = {}
    for meta in found.pop("meta"):
        name = (meta.get("name") or meta.get("property") or meta.get("http-equiv") or "").strip().lower()
        content = meta.get("content") or ""
        metas[name] = f"{metas[name]},{content}" if name in _ALL_COUNT and name in metas else metas.get(name, content)
    return PageMarkup(tuple(classes(tree)), metas, *(tuple(elements) for elements in found.values()))


def content_root(tree: etree._Element, source: bytes, articles: Sequence[etree._Element]) -> etree._Element | None:
    """Return the element that contains a page's content; None for a page without a body."""
    for article in articles[:1]:  # the usual place, found quickly; an XPath visits every element
        for part in article.iter("div"):
            if has_class(part, _CONTENT_CLASSES):
                return part
    for path, name in _ROOT_PATHS:
        found = path(tree) if name in source else None
        if isinstance(found, list) and found:
            root = found[0]
            return _without_frame(root, articles) if isinstance(root, etree._Element) else None
    return None


def _without_frame(root: etree._Element, articles: Sequence[etree._Element]) -> etree._Element:
    """Return the part of a landmark or body that is the content, without menus."""
    if root.tag == "body":
        return content_part(root)
    if root.tag != "main" and root.get("role") != "main":
        return root
    part = named_part(root)
    return articles[0] if part is root and len(articles) == 1 and is_whole(articles[0], root) else part


def is_ordinary(element: etree._Element) -> bool:
    """Return whether no attribute of an element tells more about it than its tag; true of most elements.

    Then the element needs none of the tests of classes, roles and styles, except those of its tag and its parent.
    """
    names = element.keys()
    if not names:
        return True
    return _TELLING.isdisjoint(names) and ("class" not in names or not _tells(element.get("class") or ""))


@lru_cache(_CLASS_ATTRIBUTES)
def _tells(attribute: str) -> bool:
    """Return whether a class marks anything."""
    return any(_class_meanings(attribute)) or not _TELLING_CLASSES.isdisjoint((attribute, *attribute.split()))


def is_furniture(element: etree._Element) -> bool:
    """Return whether an element is boilerplate: controls, copy buttons, navigation, inline tables of contents."""
    if element.tag in FURNITURE_TAGS or element.get("role") in _FURNITURE_ROLES:
        return True
    names = element.get("class")
    if names is None:
        return False
    if names in MERGED.furniture_in:
        parent = element.getparent()
        return parent is not None and any(name.startswith(MERGED.furniture_in[names]) for name in classes(parent))
    return _class_meanings(names)[0]


@lru_cache(_CLASS_ATTRIBUTES)
def _class_meanings(attribute: str) -> tuple[bool, bool, bool, bool, bool, bool, bool]:
    """Return whether a class marks boilerplate, a label, an admonition, hidden text, an icon, struck text, a badge."""
    names = attribute.split()
    return (
        not MERGED.furniture.isdisjoint(names),
        any(name.startswith(MERGED.labels) for name in names),
        not MERGED.notes.isdisjoint(names),
        not _VISUALLY_HIDDEN.isdisjoint(names) or any(name.endswith("-visually-hidden") for name in names),
        any(name.startswith(_ICON_FONTS) for name in names),
        not _STRUCK.isdisjoint(names),
        not MERGED.boxes.isdisjoint(names) or any(_BADGE.search(name) for name in names),
    )


def is_hidden(element: etree._Element) -> bool:
    """Return whether an element has text that sighted readers never see.

    Tab panels and the direct content of a details element count as visible, because readers can open them. Text for
    screen readers counts as visible if it is the only text for a picture. Style sheets are not read.
    """
    names = element.get("class")
    if names is not None:
        meanings = _class_meanings(names)
        if meanings[4] or (meanings[3] and not _describes_picture(element)):
            return True
    hidden, style = element.get("hidden"), element.get("style")
    if hidden is None and style is None:
        return False
    unseen = hidden is not None and hidden != "until-found"
    if not unseen and (style is None or not _hides_text(style, element)):
        return False
    parent = element.getparent()
    can_be_opened = is_tab_panel(element) or (parent is not None and parent.tag == "details")
    return not can_be_opened and any(text.strip() for text in element.itertext())


def is_struck(element: etree._Element) -> bool:
    """Return whether an element's class or style crosses its text out."""
    names, style = element.get("class"), element.get("style")
    return (names is not None and _class_meanings(names)[5]) or (style is not None and "line-through" in style)


def icon_text(element: etree._Element) -> str:
    """Return the name of an empty element, such as an icon: its ARIA label, or its tooltip."""
    if element.text is not None or len(element) or element.tag in BLOCK_TAGS or element.tag in {"a", "seen"}:
        return ""
    return element.get("aria-label") or element.get("title") or ""


def _describes_picture(element: etree._Element) -> bool:
    """Return whether a hidden text stands beside nothing but a picture, or an empty element that is drawn as one."""
    parent = element.getparent()
    if parent is None or "".join(parent.itertext()).strip() != "".join(element.itertext()).strip():
        return False
    others = (one for one in parent if one is not element and isinstance(one.tag, str))
    return any(one.tag in _PICTURES or not any(one.itertext()) for one in others)


def _hides_text(style: str, element: etree._Element) -> bool:
    """Return whether an element's style hides its text, for example as white text on a white background."""
    if _UNSEEN.search(style) or _CLIPPED.search(style):
        return True
    if not _WHITE.search(style):
        return False
    styles = (one.get("style") for one in (element, *element.iterancestors()))
    background = next((found[1] for style in styles if style and (found := _BACKGROUND.search(style))), "#fff")
    return _WHITE.search(f"color:{background.strip()}") is not None


def is_tab_panel(element: etree._Element) -> bool:
    """Return whether an element is the panel of a tab, which readers can open."""
    if element.get("role") == "tabpanel" or has_class(element, MERGED.tab_panels):
        return True
    return element.tag == "div" and has_class(element.getparent(), MERGED.tab_panels_in)


def is_label(element: etree._Element) -> bool:
    """Return whether an element is a label, such as an admonition's title or a code block's file name."""
    names = element.get("class")
    if names is not None and _class_meanings(names)[1]:
        return True
    return (element.tag == "td" and _is_label_cell(element)) or (
        element.tag == "figcaption" and _is_above_code(element)
    )


def _is_label_cell(cell: etree._Element) -> bool:
    """Return whether a cell is the label of an admonition that is a table."""
    return has_class(cell, MERGED.label_cells) and has_class(next(cell.iterancestors("div"), None), MERGED.notes)


def _is_above_code(caption: etree._Element) -> bool:
    figure = caption.getparent()
    return figure is not None and caption.getprevious() is None and figure.find("pre") is not None


def is_note(element: etree._Element) -> bool:
    """Return whether an element is an admonition or a quotation."""
    if element.tag == "blockquote":  # around lists, code or tables a blockquote only indents
        return next(element.iter("li", "dd", "pre", "table"), None) is None
    names = element.get("class")
    return names is not None and element.tag in _NOTE_TAGS and _class_meanings(names)[2]


def plain_text(element: etree._Element) -> str:
    """Return an element's text as a name: without boilerplate and badges, with blanks collapsed."""
    if len(element) == 0:
        return one_line(element.text or icon_text(element))
    line = InlineText()
    walker = etree.iterwalk(element, events=("start", "end", "comment"))
    for event, node in walker:
        if event == "start":
            if node is not element and _is_left_out(node):  # the element may be a button that is the label of a tab
                walker.skip_subtree()
                continue
            line.open(node)
            if text := node.text or icon_text(node):
                line.add(text)
            continue
        if event == "end":
            line.close(node)
            if node.tag in _LINE_TAGS or has_class(node, MERGED.own_lines):
                line.add(" ")
        if node is not element and node.tail:
            line.add(node.tail)
    return one_line("".join(line.parts))


def _is_left_out(node: etree._Element) -> bool:
    if node.tag in FURNITURE_TAGS or node.tag == "seen":
        return True
    return not is_ordinary(node) and (is_furniture(node) or is_hidden(node) or has_class(node, MERGED.badges))


class InlineText:
    """Text of one line, in which elements that are laid out side by side do not join to one word.

    Two elements without a blank between them are separate boxes, such as a name and its type. A letter in an element of
    its own, directly beside text, is part of a word.
    """

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.after_box = False  # whether an inline element ended here
        self.joint = False  # whether another one started since then
        self.code: etree._Element | None = None  # highlighted code is not laid out as boxes

    def open(self, element: etree._Element) -> None:
        """Note the start of an element."""
        if self.code is not None:
            return
        tag = element.tag
        if tag == "code":
            self.code = element
        if tag not in _BOXES:
            self.after_box = self.joint = False
        elif self.after_box or tag == "alt" or _is_badge(element):
            self.joint = True

    def close(self, element: etree._Element) -> None:
        """Note the end of an element."""
        if self.code is not None and element is not self.code:
            return
        self.code = None
        tag = element.tag
        self.after_box = tag in _BOXES
        if tag in _PARTING or _is_badge(element):
            self.joint = True

    def add(self, text: str) -> None:
        """Add a text, after a blank if it would join the text of another element."""
        if self.joint and self.parts and _would_join(self.parts[-1], text):
            self.parts.append(" ")
        self.joint = self.after_box = False
        self.parts.append(text)


def part_boxes(element: etree._Element) -> None:
    """Put a blank between an inline element and the one before it if their texts would join to one word."""
    before = element.getprevious()
    if before is None or before.tail or not {before.tag, element.tag} <= _BOXES:
        return
    if (
        _would_join("".join(before.itertext()), "".join(element.itertext()))
        and next(element.iterancestors("code"), None) is None
    ):
        before.tail = " "


def _is_badge(element: etree._Element) -> bool:
    names = element.get("class")
    return names is not None and _class_meanings(names)[6]


def _would_join(before: str, after: str) -> bool:
    last, first = before[-1:], after[:1]
    return last.isalnum() and first.isalnum() and last < _FIRST_UNPARTED > first


def one_line(text: str) -> str:
    """Return the visible characters of a text, without soft hyphens and with blanks collapsed."""
    return " ".join(strip_invisible(text).replace("\u00ad", "").split())


def whole_number(element: etree._Element, attribute: str, default: int) -> int:
    """Return an attribute's integer value; the default if it is missing or invalid."""
    try:
        return int(element.get(attribute) or default)
    except ValueError:
        return default
