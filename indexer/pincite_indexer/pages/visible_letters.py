"""Return the letters that readers see in a page's content and near it, in document order.

These functions must run last, because they empty invisible elements of the tree, and `around_content` the content.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from lxml import etree

from pincite_core.index.shown_text import letters
from pincite_core.strip_invisible import strip_invisible
from pincite_indexer.pages.markup import is_hidden

__all__ = ("Around", "around_content", "visible_letters")

_AROUND = 200  # letters on each side, because a selection by dragging may extend into nearby links
_NEAR = 4_000  # characters on each side in which there are usually as many letters; menus may have twenty times more
_ENOUGH = 2 * _AROUND  # the first character of a part may belong to the one before it
_PLACE = "\ue000"  # private-use character that marks the content's place in the text around it
_UNSEEN = (
    "script style template noscript iframe textarea select canvas audio video object svg annotation head alt".split()
)
_MAY_BE_HIDDEN = etree.XPath(  # the attributes first: conditions on each element would take half the parsing time
    "descendant::*/@hidden/.. | descendant::*/@style[contains(., 'none') or contains(., 'hidden')]/.."
)


@dataclass(frozen=True, slots=True)
class Around:
    """Letters before and after a page's content, and the targets of the links around it."""

    before: str = ""
    after: str = ""
    hrefs: tuple[str, ...] = ()


def visible_letters(root: etree._Element) -> str:
    """Return the letters of an element that are visible at once or after a reader opens a tab or details element."""
    return letters(strip_invisible(_raw_text(root)))


def around_content(root: etree._Element) -> Around:
    """Return the text around the content in the same landmark, without menus; the content is emptied.

    If the landmark ends with the content, a selection by dragging extends into the next element. The text after the
    landmark, including menus, is used then.
    """
    main = next(filter(_is_landmark, root.iterancestors()), None)
    if _is_landmark(root):  # then the nearest parent with a footer stands for it
        main = next((one for one in root.iterancestors("div", "section") if one.find("footer") is not None), None)
    if main is None:
        return _following(root)
    left_out = [root, *(one for one in main.iter("aside") if root not in one.iterdescendants())]
    for one in left_out:
        del one[:]  # much quicker than to empty each element
        one.text = None
    root.text = _PLACE
    hrefs = tuple(one.get("href") or "" for one in main.iter("a"))
    texts = _raw_text(main).partition(_PLACE)
    before = _letters_in(texts[0][-_NEAR:], texts[0])[-_AROUND:]
    after = _letters_in(texts[2][:_NEAR], texts[2])[:_AROUND]
    if after:
        return Around(before, after, hrefs)
    following = _following(main)
    return Around(before, following.after, hrefs + following.hrefs)


def _letters_in(near: str, text: str) -> str:
    """Return the letters of the near part of a text if they are enough, and otherwise those of the whole text."""
    found = letters(strip_invisible(near))
    return found if len(found) >= _ENOUGH else letters(strip_invisible(text))


def _is_landmark(element: etree._Element) -> bool:
    return element.tag == "main" or element.get("role") == "main"


def _following(element: etree._Element) -> Around:
    """Return the nearest letters (text without blanks) after an element, and the targets of the links in this text."""
    after, hrefs = "", []
    for href, text in _texts_after(element):
        if len(after) >= _AROUND:
            break
        after += letters(strip_invisible(text))
        if href is not None:
            hrefs.append(href)
    return Around(after=after[:_AROUND], hrefs=tuple(hrefs))


def _texts_after(element: etree._Element) -> Iterator[tuple[str | None, str]]:
    """Yield visible text after an element, in order, with the target of a link that starts there."""
    for outer in (element, *element.iterancestors()):
        yield None, outer.tail or ""
        for following in outer.itersiblings():
            if isinstance(following.tag, str) and not is_hidden(following):
                _empty_unseen(following)
                for event, part in etree.iterwalk(following, events=("start", "end", "comment", "pi")):
                    if event == "start":
                        yield part.get("href") if part.tag == "a" else None, part.text or ""
                    elif part is not following:
                        yield None, part.tail or ""
            yield None, following.tail or ""


def _raw_text(element: etree._Element) -> str:
    _empty_unseen(element)
    return str(etree.tostring(element, method="text", encoding="unicode", with_tail=False))


def _empty_unseen(element: etree._Element) -> None:
    for unseen in (*element.iter(*_UNSEEN), *filter(is_hidden, _MAY_BE_HIDDEN(element))):
        _empty(unseen)


def _empty(element: etree._Element) -> None:
    for part in element.iter():
        if not isinstance(part, etree._Entity):
            part.text = None
        if part is not element:
            part.tail = None
