"""Find the content of a page without landmarks: the part that holds all its headings and paragraphs, without menus."""

from lxml import etree

from pincite_indexer.generators.known_generators import MERGED
from pincite_indexer.pages.elements import HEADING_TAGS

__all__ = ("content_part", "is_frame", "is_whole", "named_part")

_FRAME_TAGS = frozenset(
    {"nav", "aside", "header", "footer", "form", "dialog", "script", "style", "template", "noscript"}
)
_FRAME_ROLES = frozenset({"navigation", "search", "banner", "contentinfo", "complementary", "dialog", "menu"})
_WRAPPERS = frozenset({"div", "section", "article", "body"})
_PROSE_TAGS = frozenset({*HEADING_TAGS, "p", "pre", "table", "dl", "blockquote", "figure"})
_TEXT_TAGS = (*(_PROSE_TAGS - HEADING_TAGS.keys()), "li")
_MAX_LEVELS = 12  # wrappers around the content; hostile pages nest more
_FEW_LETTERS = 40  # a part with more letters outside links is not a menu


def content_part(body: etree._Element) -> etree._Element:
    """Return the innermost wrapper that holds all headings and paragraphs of a body; the body itself if parts differ.

    The search starts at the wrapper that a generator names, if the page's first title is in it. A title that is no
    heading becomes one.
    """
    for title in body.iter("div"):
        if title.get("class") in MERGED.titles:
            title.tag = "h1"
    part = named_part(body)
    for _ in range(_MAX_LEVELS):
        held = [child for child in part if _is_shown(child) and _has_prose(child)]
        if len(held) != 1 or held[0].tag not in _WRAPPERS or held[0].get("class") in MERGED.code_blocks:
            return part
        if next(held[0].iter(*_TEXT_TAGS), None) is None:  # a title, before a list of links
            return part
        part = held[0]
    return part


def is_whole(article: etree._Element, landmark: etree._Element) -> bool:
    """Return whether an article in a landmark is all of its content: it has the title, or the rest has no prose."""
    around = list(article.iterancestors())
    if landmark not in around:
        return False
    if next(article.iter("h1"), None) is not None:
        return True
    for part in (article, *around[: around.index(landmark)]):
        beside = (other for other in part.itersiblings() if _is_shown(other))
        before = (other for other in part.itersiblings(preceding=True) if _is_shown(other))
        if any(map(_has_prose, (*beside, *before))):
            return False
    return True


def named_part(root: etree._Element) -> etree._Element:
    """Return the part of a root that a generator names as the content, if the page's title is in it; else the root."""
    titles = (one for one in root.iter("h1") if next(one.iterancestors("header"), None) is None)
    title = next(titles, None)
    for part in root.iter("div", "section", "article"):
        names = part.get("class")
        is_named = part.get("id") in MERGED.content_parts or names in MERGED.content_parts
        if not is_named and names and title is not None:
            is_named = not MERGED.content_parts.isdisjoint(names.split())
        if is_named:
            return part if title is None or part in title.iterancestors() else root
    return root


def _is_shown(element: etree._Element) -> bool:
    return (
        isinstance(element.tag, str)
        and element.tag not in _FRAME_TAGS
        and element.get("role") not in _FRAME_ROLES
        and element.get("hidden") is None
        and not is_frame(element)
    )


def is_frame(element: etree._Element) -> bool:
    """Return whether an element is a part around the content by its ID or class."""
    names = element.get("class")
    return element.get("id") in MERGED.frames or (names is not None and not MERGED.frames.isdisjoint(names.split()))


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
