"""Find the content of a page without landmarks: the part that holds all its headings and paragraphs, without menus."""

from lxml import etree

from pincite_indexer.generators.known_generators import MERGED
from pincite_indexer.pages.elements import HEADING_TAGS

__all__ = ("content_part",)

_FRAME_TAGS = frozenset(
    {"nav", "aside", "header", "footer", "form", "dialog", "script", "style", "template", "noscript"}
)
_FRAME_ROLES = frozenset({"navigation", "search", "banner", "contentinfo", "complementary", "dialog", "menu"})
_WRAPPERS = frozenset({"div", "section", "article", "body"})
_PROSE_TAGS = frozenset({*HEADING_TAGS, "p", "pre", "table", "dl", "blockquote", "figure"})
_MAX_LEVELS = 12  # wrappers around the content; hostile pages nest more
_FEW_LETTERS = 40  # a part with more letters outside links is not a menu


def content_part(body: etree._Element) -> etree._Element:
    """Return the innermost wrapper that holds all headings and paragraphs of a body; the body itself if parts differ.

    The search starts at the wrapper that a generator names, if the page's first title is in it.
    """
    part = _named_part(body)
    for _ in range(_MAX_LEVELS):
        held = [child for child in part if _is_shown(child) and _has_prose(child)]
        if len(held) != 1 or held[0].tag not in _WRAPPERS or held[0].get("class") in MERGED.code_blocks:
            return part
        part = held[0]
    return part


def _named_part(body: etree._Element) -> etree._Element:
    for part in body.iter("div", "section"):
        if part.get("id") in MERGED.content_parts or part.get("class") in MERGED.content_parts:
            title = next(body.iter("h1"), None)
            return part if title is None or part in title.iterancestors() else body
    return body


def _is_shown(element: etree._Element) -> bool:
    if not isinstance(element.tag, str) or element.tag in _FRAME_TAGS:
        return False
    return not element.keys() or (element.get("role") not in _FRAME_ROLES and element.get("hidden") is None)


def _has_prose(element: etree._Element) -> bool:
    """Return whether an element holds a heading or a paragraph, or much text that is not a link."""
    letters = 0
    walker = etree.iterwalk(element, events=("start",))
    for _, part in walker:
        if part.tag == "a" or not _is_shown(part):
            walker.skip_subtree()
        elif part.tag in _PROSE_TAGS and not _is_link(part):
            return True
        else:
            letters += len((part.text or "").strip())
    return letters > _FEW_LETTERS


def _is_link(element: etree._Element) -> bool:
    """Return whether a heading is only a link, such as the name of the site."""
    return len(element) == 1 and element[0].tag == "a" and not (element.text or element[0].tail or "").strip()
