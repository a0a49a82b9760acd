"""Find tables of contents inside a page's text: lists of links whose words are those of the headings they lead to.

They repeat what the headings say. Generators mark few of them, and authors write them by hand.
"""

import re
from collections.abc import Iterator
from urllib.parse import unquote

from lxml import etree

from pincite_indexer.pages.elements import HEADING_TAGS

__all__ = ("inline_contents",)

_LISTS = ("ul", "ol")
_WRAPPERS = frozenset({"div", "section", "aside", "details", "nav"})
_FEWEST = 3  # links of a list without a label; a shorter one may be a sentence's
_LABEL = 40  # letters of a label, such as "On this page"
_SENTENCE_ENDS = frozenset(".:!?…。：！？")
_CONTENTS = re.compile(r"toc\b|contents", re.IGNORECASE)
_LEVELS = 3  # wrappers around a list and its label


def inline_contents(root: etree._Element) -> list[etree._Element]:
    """Return the tables of contents in an element, each with its label."""
    found: list[etree._Element] = []
    titles: dict[str, str] = {}
    for part in root.iter(*_LISTS):
        first = next(part.iter("a"), None)
        if first is None or not (first.get("href") or "").startswith("#") or _is_inside(part):
            continue
        titles = titles or _titles(root)
        if _repeats(part, titles):
            found.extend(_with_label(part, root))
    return found


def _is_inside(part: etree._Element) -> bool:
    return next(part.iterancestors(*_LISTS), None) is not None


def _titles(root: etree._Element) -> dict[str, str]:
    """Return the letters of each heading by the IDs that lead to it: its own, those in it, and that of its section."""
    titles: dict[str, str] = {}
    for heading in root.iter(*HEADING_TAGS):
        text, parent = _letters(heading), heading.getparent()
        holders = heading.iter() if parent is None else (parent, *heading.iter())
        for holder in holders:
            name = holder.get("id") or holder.get("name")
            if name:
                titles.setdefault(name, text)
    return titles


def _repeats(part: etree._Element, titles: dict[str, str]) -> bool:
    """Return whether a list has nothing but links to headings, with their words."""
    links = list(part.iter("a"))
    if len(links) < 2 or _letters(part) != "".join(map(_letters, links)):
        return False
    targets = (titles.get(unquote((link.get("href") or "").removeprefix("#")), "") for link in links)
    return all(text and title.startswith(text) for text, title in zip(map(_letters, links), targets, strict=True))


def _with_label(part: etree._Element, root: etree._Element) -> Iterator[etree._Element]:
    """Yield a list, or the wrapper around it and its label, and a heading before it; nothing after a sentence."""
    box = part
    for wrapper in list(part.iterancestors())[:_LEVELS]:
        if wrapper is root or wrapper.tag not in _WRAPPERS or not _is_labelled(wrapper, box):
            break
        box = wrapper
    before = next(box.itersiblings("*", preceding=True), None)
    if before is not None and before.tag in HEADING_TAGS and before.tag != "h1":
        if _ends_section(box) and _names_contents(before):
            yield before
    elif (before is not None and _last_letter(before) == ":") or (
        _letters(box) == _letters(part) and len(list(part.iter("a"))) < _FEWEST
    ):
        return
    yield box


def _names_contents(heading: etree._Element) -> bool:
    """Return whether a heading belongs to a table of contents; a heading with an ID of its own can be cited."""
    return heading.get("id") is None or _CONTENTS.search(f"{heading.get('id')} {heading.get('class')}") is not None


def _is_labelled(wrapper: etree._Element, box: etree._Element) -> bool:
    """Return whether a wrapper has nothing but a part and at most a label before it, which is not a sentence."""
    others = [one for one in wrapper if one is not box and isinstance(one.tag, str) and _letters(one)]
    if not others:
        return _letters(wrapper) == _letters(box)
    label = others[0]
    if len(others) > 1 or label.getnext() is not box or label.tag == "h1" or _last_letter(label) in _SENTENCE_ENDS:
        return False
    return len(_letters(label)) <= _LABEL


def _ends_section(box: etree._Element) -> bool:
    """Return whether no text follows an element in its section."""
    after = next(box.itersiblings("*"), None)
    if after is not None and after.tag == "hr":
        after = next(after.itersiblings("*"), None)
    return after is None or after.tag in HEADING_TAGS or (len(after) > 0 and after[0].tag in HEADING_TAGS)


def _last_letter(element: etree._Element) -> str:
    return "".join(element.itertext(etree.Element)).rstrip()[-1:]


def _letters(element: etree._Element) -> str:
    return "".join(filter(str.isalnum, "".join(element.itertext(etree.Element))))
