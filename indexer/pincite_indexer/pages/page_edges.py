"""Find the boilerplate at the edges of a content: before its first heading, and after the text of its last section.

Themes put links to edit the page, feedback forms, dates, breadcrumbs and links to the neighbouring pages there, in
elements of their own. Some are boilerplate by their structure. The others are `Edge` records: only the whole site tells
whether they are (`site/repeated_text`). The text inside sections is never an edge.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from lxml import etree

from pincite_core.index.shown_text import letters
from pincite_indexer.pages.content_part import is_frame
from pincite_indexer.pages.elements import HEADING_TAGS
from pincite_indexer.pages.extract import extract
from pincite_indexer.pages.inline_contents import inline_contents
from pincite_indexer.pages.markup import is_furniture, is_hidden, is_note, one_line
from pincite_indexer.pages.records import Piece

__all__ = ("IN_TEXT", "EdgeElement", "edge_pieces", "is_edit_link", "set_furniture_aside", "set_repeated_aside")

_WRAPPERS = frozenset({"div", "section", "aside", "footer", "header", "form", "p", "ul", "ol", "a", "span", "table"})
_SECTIONS = frozenset({"article", "main"})
_DIVISIONS = frozenset({"div", "section"})
_LISTS = frozenset({"ul", "ol", "table"})  # content, unless all their text is links to other pages
IN_TEXT = "text"
"""Start of the place of an edge that may be a part of the text."""

_OWN_TEXT = "pre dl li details blockquote figure h1 h2 h3 h4 h5 h6".split()  # none is in a short footer
_MOST_LETTERS = 3_000  # of an edge; longer elements are content
_LABEL = 30  # letters beside links, such as "Last updated on"
_QUESTION = 80  # letters beside buttons, such as "Was this page helpful?"
_FOOTER = 160  # letters beside links in a footer
_MOST_BUTTONS = 4
_DEEPEST = 40  # levels of wrappers around the content
_EDIT = re.compile(r"/_?edit(?:/|$)|[?&]action=edit\b")
_RELATIONS = frozenset({"edit", "prev", "next", "previous"})
_PAGER = re.compile(r"(?:^|[\s_-])(?:prev(?:ious)?|next|pager|pagination|paginator)(?:$|[\s_-])", re.IGNORECASE)
_STEPS = frozenset("npuh")  # access keys of the links to the next, previous, upper and first page in manuals
_STEP_LETTERS = 200  # letters beside such links: titles of chapters
_LANDMARKS = frozenset({"header", "footer", "aside", "address"})
_LANDMARK_ROLES = frozenset({"banner", "complementary"})
_MENU_LINKS = 3  # links that a menu has at least
_CONTROLS = ("button", "form", "input", "time", "textarea", "select")


@dataclass(frozen=True, slots=True)
class EdgeElement:
    """Element at an edge that may be boilerplate; `place` is equal for the same element of other pages."""

    element: etree._Element
    place: str
    is_first: bool  # whether it is before the first heading


def is_edit_link(href: str) -> bool:
    """Return whether a link leads to the source of the page, to edit it."""
    return _EDIT.search(href) is not None


def set_furniture_aside(root: etree._Element) -> tuple[EdgeElement, ...]:
    """Set boilerplate at the edges aside, as text that readers see but that is not content; return the other edges."""
    edges: list[EdgeElement] = []
    for contents in inline_contents(root):
        if contents.tag in HEADING_TAGS:
            contents.tag = "div"
        _set_aside(contents)
    title = _title(root)
    for element, place, is_first in (*_leading(root, title), *_trailing(root, title)):
        if _is_beside(element, root, title, is_first=is_first) or _is_boilerplate(element, is_first=is_first):
            _set_aside(element)
        else:
            edges.append(EdgeElement(element, place, is_first))
    return tuple(edges)


def set_repeated_aside(edges: Iterable[EdgeElement], repeated: Collection[str]) -> None:
    """Set the edges aside whose letters are in `repeated`."""
    for edge in edges:
        if letters("".join(edge.element.itertext(etree.Element))) in repeated:
            _set_aside(edge.element)


def edge_pieces(edges: Iterable[EdgeElement], pieces: Sequence[Piece]) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """Return the places of edges and the indexes of their pieces among the pieces of the content."""
    found = []
    first, last = 0, len(pieces)
    for edge in edges:
        own = [piece.text for piece in extract(edge.element)[0]]
        start = first if edge.is_first else last - len(own)
        if not own or start < 0 or [piece.text for piece in pieces[start : start + len(own)]] != own:
            continue
        found.append((edge.place, tuple(range(start, start + len(own)))))
        first, last = (start + len(own), last) if edge.is_first else (first, start)
    return tuple(found)


def _leading(root: etree._Element, title: etree._Element | None) -> Iterator[tuple[etree._Element, str, bool]]:
    """Yield the elements before the title, from the first on; without a title of level 1, the text starts at once.

    In a whole body, the title may have another level.
    """
    above = _with_ancestors(title)
    node = root if above else None
    for _ in range(_DEEPEST):
        parts, node = _parts(node), None
        for part in parts:
            if part in above:
                node = part if part.tag in _WRAPPERS or part.tag in _SECTIONS else None
                break
            if not _is_edge(part) and not _is_beside(part, root, title, is_first=True):
                return
            yield part, _place("first", part), True
        if node is None:
            return


def _trailing(root: etree._Element, title: etree._Element | None) -> Iterator[tuple[etree._Element, str, bool]]:
    """Yield the elements after the last section's text, from the last on.

    Beside a wrapper around the text, every element is an edge. Beside the text itself, an element that may be a part of
    the text has a place that counts less.
    """
    above = _with_ancestors(title)
    node: etree._Element | None = root
    for _ in range(_DEEPEST):
        parts, node = _parts(node), None
        waiting = []
        for part in reversed(parts):
            if (part.tail or "").strip():
                break
            is_edge = _is_edge(part) and not _has_heading(part)
            if is_edge or (part not in above and _is_beside(part, root, title, is_first=False)):
                waiting.append(part)
                continue
            if part.tag in _WRAPPERS or part.tag in _SECTIONS:
                node = part
            break
        for part in waiting:
            if node is not None or _stands_apart(part) or _is_beside(part, root, title, is_first=False):
                yield part, _place("last", part), False
            elif part.tag in _DIVISIONS and not _follows_heading(part):
                yield part, _place(IN_TEXT, part), False
        if node is None:
            return


def _with_ancestors(title: etree._Element | None) -> set[etree._Element]:
    return set() if title is None else {title, *title.iterancestors()}


def _title(root: etree._Element) -> etree._Element | None:
    """Return the heading that names the page; a link to another page names the site."""
    levels = ("h1", "h2", "h3", "h4") if root.tag == "body" else ("h1",)
    for level in levels:
        for heading in root.iter(level):
            links = [link for link in heading.iter("a") if (link.get("href") or "#")[0] != "#"]
            if not any(_text(link) == _text(heading) for link in links):
                return heading
    return next(root.iter("h1"), None)


def _is_beside(element: etree._Element, root: etree._Element, title: etree._Element | None, *, is_first: bool) -> bool:
    """Return whether a part of a whole body is a landmark beside the content, or before the title has mostly links."""
    if root.tag != "body":
        return False
    if is_frame(element) or all(map(is_frame, _parts(element) or [element])):
        return True
    if element.tag in _LANDMARKS or element.get("role") in _LANDMARK_ROLES:
        return is_first or element.tag != "aside" or _is_menu(element)
    return is_first and title is not None and title.tag == "h1" and _is_menu(element)


def _is_menu(element: etree._Element) -> bool:
    """Return whether an element has several links with more letters than the text beside them."""
    if element.tag not in _WRAPPERS:
        return False
    links = [link for link in element.iter("a") if link.get("href") is not None]
    return len(links) >= _MENU_LINKS and sum(len(_text(link)) for link in links) > _letters_beside(element)


def _follows_heading(element: etree._Element) -> bool:
    before = next(element.itersiblings("*", preceding=True), None)
    return before is not None and before.tag in HEADING_TAGS


def _stands_apart(element: etree._Element) -> bool:
    """Return whether an element beside the text is no sentence of it: a landmark, controls, a date, or links alone."""
    if element.tag in {"aside", "footer", "form"} or _is_boilerplate(element, is_first=False):
        return True
    if element.tag in _LISTS:
        return False
    return next(element.iter(*_CONTROLS), None) is not None or (_letters_beside(element) == 0 and _text(element) != "")


def _parts(node: etree._Element | None) -> list[etree._Element]:
    """Return the child elements that readers see, without menus."""
    if node is None:
        return []
    parts = (part for part in node if isinstance(part.tag, str))
    return [part for part in parts if _has_content(part) and not is_furniture(part) and not is_hidden(part)]


def _has_content(element: etree._Element) -> bool:
    if any(text.strip() for text in element.itertext(etree.Element)):
        return True
    return next(element.iter("img", "iframe", "video"), None) is not None


def _has_heading(element: etree._Element) -> bool:
    """Return whether an element contains the page's title or the heading of a section, which has an ID."""
    for heading in element.iter(*HEADING_TAGS):
        if next(heading.iterancestors("nav"), None) is not None:
            continue
        parent = heading.getparent()
        if heading.tag == "h1" or heading.get("id") or (parent is not None and parent.get("id")):
            return True
        if any((link.get("id") or (link.get("href") or "").startswith("#")) for link in heading.iter("a")):
            return True
    return False


def _is_edge(element: etree._Element) -> bool:
    """Return whether an element may be boilerplate: a short wrapper or link, without code, and not an admonition."""
    if element.tag not in _WRAPPERS or next(element.iter("pre"), None) is not None or is_note(element):
        return False
    letters = 0
    for text in element.itertext(etree.Element):
        letters += len(text.strip())
        if letters > _MOST_LETTERS:
            return False
    return True


def _place(side: str, element: etree._Element) -> str:
    return f"{side} {element.tag!s} {element.get('class') or ''}"


def _is_boilerplate(element: etree._Element, *, is_first: bool) -> bool:
    """Return whether an element at an edge is boilerplate by its structure."""
    links = [link for link in element.iter("a") if link.get("href") is not None]
    beside = _letters_beside(element)
    if element.tag == "footer":
        return beside <= _FOOTER and next(element.iter(*_OWN_TEXT), None) is None
    if not links and _is_feedback(element, beside):
        return True
    if sum(link.get("accesskey") in _STEPS for link in links) > 1 and beside <= _STEP_LETTERS:
        return True
    if not links or beside > _LABEL:
        return False
    return (
        (is_first and _is_path(element, links))
        or any(map(_leads_to_edit_or_neighbour, links))
        or _is_inline_contents(element, links)
    )


def _is_feedback(element: etree._Element, beside: int) -> bool:
    """Return whether an element has a few buttons, alone or after a question, which open nothing on the page."""
    buttons = list(element.iter("button"))
    if not 0 < len(buttons) <= _MOST_BUTTONS or element.tag in {"p", "a", "span"} or beside > _QUESTION:
        return False
    if any(button.get("role") or button.get("aria-controls") or button.get("aria-expanded") for button in buttons):
        return False
    text = _text(element)
    return text.endswith(_text(buttons[-1])) and (beside == 0 or not text.startswith(_text(buttons[0]) or text))


def _letters_beside(element: etree._Element) -> int:
    """Return the number of letters outside links, buttons and dates."""
    within = sum(len(_text(part)) for part in element.iter("a", "button", "time"))
    return max(len(_text(element)) - within, 0)


def _text(element: etree._Element) -> str:
    return one_line("".join(element.itertext(etree.Element)))


def _leads_to_edit_or_neighbour(link: etree._Element) -> bool:
    if is_edit_link(link.get("href") or "") or not _RELATIONS.isdisjoint((link.get("rel") or "").lower().split()):
        return True
    parent = link.getparent()
    outer = (link,) if parent is None else (link, parent)
    return any(_PAGER.search(f"{one.get('class') or ''} {one.get('aria-label') or ''}") for one in outer)


def _is_path(element: etree._Element, links: Sequence[etree._Element]) -> bool:
    """Return whether an element before the title is a path to the page: links, and at most the page's own name."""
    if element.tag in {"p", "a"} and len(links) == 1:
        return False
    beside = _text(element)
    for link in links:
        beside = beside.replace(_text(link), "", 1)
    own = re.sub(r"[\W_]+", "", beside)
    title = next(element.getroottree().iter("h1"), None)
    return not own or (title is not None and own == re.sub(r"[\W_]+", "", _text(title)))


def _is_inline_contents(element: etree._Element, links: Sequence[etree._Element]) -> bool:
    """Return whether an element in a wrapper of its own lists links to sections of the page, unlike a footnote."""
    if element.tag in {"p", "a", "span", *_LISTS} or len(links) == 1:
        return False
    linked = sum(len(_text(link)) for link in links)
    return linked >= _letters_beside(element) and all((link.get("href") or "")[:1] == "#" for link in links)


def _set_aside(element: etree._Element) -> None:
    """Put an element's content into a part that readers see, but that is not text; the element still ends a block."""
    seen = etree.Element("seen")
    seen.text, element.text = element.text, None
    seen.extend(list(element))
    element.append(seen)
