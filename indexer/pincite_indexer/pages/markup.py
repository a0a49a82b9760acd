"""Which elements are content, which are furniture, and which are blocks. Facts about generators' HTML live here.

Class names are Docusaurus's unless said; hashed suffixes (`codeBlockTitle_kY6l`) are matched by their prefixes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from lxml import etree

__all__ = (
    "BLOCK_TAGS",
    "CONTAINER_TAGS",
    "FURNITURE_TAGS",
    "HEADING_TAGS",
    "Landmarks",
    "classes",
    "content_root",
    "is_code_table",
    "is_footnote_mark",
    "is_furniture",
    "is_label",
    "is_note",
    "landmarks",
    "plain_text",
    "whole_number",
)

HEADING_TAGS = {f"h{level}": level for level in range(1, 7)}

CONTAINER_TAGS = frozenset(
    "address article aside blockquote body center dd details dialog div dl dt fieldset figcaption figure footer form "
    "header hgroup hr li main menu ol p pre section summary table tbody td tfoot th thead tr ul".split()
)
"""Elements whose id names all that they hold; any other element with an id names the block it stands in."""

BLOCK_TAGS = CONTAINER_TAGS | frozenset({"caption", "legend", "optgroup", "option"})

FURNITURE_TAGS = frozenset(
    "script style svg button nav template noscript input select textarea iframe canvas audio video object math".split()
)
_FURNITURE_CLASSES = frozenset(
    {
        "hash-link",  # the ¶ beside a heading: Docusaurus, Sphinx, VitePress
        "headerlink",
        "header-anchor",
        "theme-doc-breadcrumbs",
        "theme-doc-version-badge",
        "theme-doc-version-banner",
        "theme-doc-toc-mobile",
        "theme-doc-footer",
        "theme-edit-this-page",
        "theme-last-updated",
        "pagination-nav",
        "table-of-contents",
        "tsd-index-panel",  # TypeDoc's list of the members that follow
        "md-source-file",  # MkDocs Material
        "md-content__button",
        "md-feedback",
        "linenos",  # Pygments' column of line numbers
        "linenodiv",
        "line-numbers-wrapper",  # VitePress
        "lnt",  # Hugo
        "rouge-gutter",  # Jekyll
        "sphinxsidebar",
        "viewcode-link",  # Sphinx's "[source]"
        "viewcode-back",
        "related",
    }
)

_FURNITURE_ROLES = frozenset({"navigation", "search"})

_BADGE_CLASSES = frozenset({"VPBadge"})  # VitePress's own outline leaves them out of headings too

_LINE_CLASSES = frozenset({"clip"})  # VitePress's home page: the product's name, on its own line above what it is

_BY_PARENT = {"lang": "language-", "label": "footnote"}
"""Furniture only in a parent whose class begins so: VitePress's name of a code block's language, Sphinx's number of a
footnote."""

_FOOTNOTE_CLASSES = frozenset({"footnote-ref", "footnote-backref", "footnote-reference"})  # MkDocs, VitePress, Sphinx

_CODE_TABLES = frozenset({"highlighttable", "lntable", "rouge-table"})  # MkDocs and Sphinx, Hugo, Jekyll

_LABEL_CLASSES = (
    "admonitionHeading",
    "codeBlockTitle",
    "admonition-title",  # MkDocs, Sphinx
    "custom-block-title",  # VitePress
    "code-block-caption",  # Sphinx
    "filename",  # MkDocs
)

_NOTE_CLASSES = frozenset(
    {
        "theme-admonition",
        "admonition",  # MkDocs, Sphinx
        "custom-block",  # VitePress
        "alert",  # Infima, Bootstrap
        "deprecated",  # Sphinx
        "versionadded",
        "versionchanged",
    }
)

_INDENTED = ("li", "dd", "pre", "table")

_NOTE_TAGS = frozenset({"div", "aside", "section"})  # what unfolds is a section in all but name

_DOC_CLASS = "theme-doc-markdown"
_ROOTS = (
    './/div[contains(concat(" ", @class, " "), " theme-doc-markdown ")][ancestor::article]',
    '(.//div[contains(concat(" ", @class, " "), " markdown ")][ancestor::article])[1][count(//article) = 1]',
    './/div[contains(concat(" ", @class, " "), " VPHome ")]',
    './/div[contains(concat(" ", @class, " "), " vp-doc ")]',
    './/article[contains(concat(" ", @class, " "), " md-content__inner ")]',
    './/div[@role="main"]',
    ".//main",
    './/div[contains(concat(" ", @class, " "), " main-wrapper ")]',
    ".//article[count(//article) = 1]",
    './/div[contains(concat(" ", @class, " "), " body ")]',
    ".//body",
)
"""Where the content is, best guess first: Docusaurus docs and blog, VitePress's home and docs, MkDocs, Sphinx, then
any page's `main`, a Docusaurus landing page without one, and plain HTML. Of several articles none alone is the content.

Each looks for the tag first, which is quick, then the class, and for what is around it after, which stays linear
however deep a page is nested.
"""
_ROOT_PATHS = tuple(etree.XPath(path) for path in _ROOTS)
_CLASS_ATTRIBUTES = 4096  # distinct ones remembered; a site has some hundred


def classes(element: etree._Element) -> list[str]:
    """Return an element's class names."""
    return (element.get("class") or "").split()


@dataclass(frozen=True, slots=True)
class Landmarks:
    """A page's parts by tag, each in document order: found in one walk, since a walk costs a fifth of parsing."""

    articles: tuple[etree._Element, ...]
    navs: tuple[etree._Element, ...]
    footers: tuple[etree._Element, ...]
    scripts: tuple[etree._Element, ...]


def landmarks(tree: etree._Element) -> Landmarks:
    """Return the landmarks of a page."""
    found: dict[str, list[etree._Element]] = {"article": [], "nav": [], "footer": [], "script": []}
    for element in tree.iter(*found):
        found[str(element.tag)].append(element)
    articles, navs, footers, scripts = (tuple(elements) for elements in found.values())
    return Landmarks(articles, navs, footers, scripts)


def content_root(tree: etree._Element, articles: Sequence[etree._Element]) -> etree._Element | None:
    """Return the element that holds a page's content; None for a page without a body."""
    for article in articles[:1]:  # where it mostly is, found at once; a path looks at every element
        for part in article.iter("div"):
            if _DOC_CLASS in classes(part):
                return part
    for path in _ROOT_PATHS:
        found = path(tree)
        if isinstance(found, list) and found:
            root = found[0]
            return root if isinstance(root, etree._Element) else None
    return None


def is_furniture(element: etree._Element) -> bool:
    """Tell whether an element is no content: controls, copy buttons, navigation, inline tables of contents."""
    if element.tag in FURNITURE_TAGS or element.get("role") in _FURNITURE_ROLES:
        return True
    names = element.get("class")
    if names is None:
        return False
    if names in _BY_PARENT:
        return _is_part_of(element, _BY_PARENT[names])
    return _furniture_class(names)


@lru_cache(_CLASS_ATTRIBUTES)
def _furniture_class(names: str) -> bool:
    return not _FURNITURE_CLASSES.isdisjoint(names.split())


def _is_part_of(element: etree._Element, prefix: str) -> bool:
    parent = element.getparent()
    return parent is not None and any(name.startswith(prefix) for name in classes(parent))


def is_footnote_mark(element: etree._Element) -> bool:
    """Tell whether an element is a footnote's number or its way back: places to be sent to, but no text."""
    if element.tag != "a":
        return False
    if element.get("data-footnote-ref") is not None or element.get("data-footnote-backref") is not None:
        return True
    return not _FOOTNOTE_CLASSES.isdisjoint(classes(element))


def is_code_table(element: etree._Element) -> bool:
    """Tell whether a table is code with a column of line numbers, and so no table to a reader."""
    return element.tag == "table" and not _CODE_TABLES.isdisjoint(classes(element))


def is_label(element: etree._Element) -> bool:
    """Tell whether an element only names what follows: the word on an admonition, the file name on a code block."""
    names = element.get("class")
    return names is not None and _label_class(names)


@lru_cache(_CLASS_ATTRIBUTES)
def _label_class(names: str) -> bool:
    return any(name.startswith(_LABEL_CLASSES) for name in names.split())


def is_note(element: etree._Element) -> bool:
    """Tell whether an element is an admonition or a quotation: a remark set apart from the text around it."""
    if element.tag == "blockquote":  # around anything but text it only indents (Sphinx)
        return next(element.iter(*_INDENTED), None) is None
    names = element.get("class")
    return names is not None and element.tag in _NOTE_TAGS and _note_class(names)


@lru_cache(_CLASS_ATTRIBUTES)
def _note_class(names: str) -> bool:
    return not _NOTE_CLASSES.isdisjoint(names.split())


def plain_text(element: etree._Element) -> str:
    """Return an element's text as a name: without furniture and badges, blanks collapsed."""
    if len(element) == 0 and not element.keys() and element.tag not in FURNITURE_TAGS:
        return " ".join((element.text or "").replace("\u200b", "").split())
    parts: list[str] = []
    walker = etree.iterwalk(element, events=("start", "end", "comment"))
    for event, node in walker:
        if event == "start":
            if is_furniture(node) or not _BADGE_CLASSES.isdisjoint(classes(node)):
                walker.skip_subtree()
            elif node.text:
                parts.append(node.text)
            continue
        if event == "end" and not _LINE_CLASSES.isdisjoint(classes(node)):
            parts.append(" ")
        if node is not element and node.tail:
            parts.append(node.tail)
    return " ".join("".join(parts).replace("\u200b", "").split())


def whole_number(element: etree._Element, attribute: str, default: int) -> int:
    """Return an attribute's whole number; the default when there is none or it is none."""
    try:
        return int(element.get(attribute) or default)
    except ValueError:
        return default
