"""Rewrite elements of a page's content so that its text is what a sighted reader sees.

Everything that reads a content runs after this: the walk, titles, the Markdown for agents. An element that a text
replaces gets the tag `alt` if the text is only its alternative, such as that of a picture. Where a page shows other
letters than the text has, as for formulas, the element gets the tag `seen`, and an `alt` element before it. What a
reader can select on the page is therefore still in the tree (`visible_letters`). IDs stay where they are.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from urllib.parse import unquote

from lxml import etree

from pincite_indexer.generators.known_generators import MERGED
from pincite_indexer.pages.elements import BLOCK_TAGS, HEADING_TAGS, tags_that_show
from pincite_indexer.pages.exponents import lowered, raised
from pincite_indexer.pages.formulas import FORMULA_TAGS, formulas

__all__ = ("NOTE_MARK", "render_text", "strike")

NOTE_MARK = "doc-noteref"
"""ARIA role that every mark of a footnote gets."""

_ALT, _SEEN = "alt", "seen"
_NOTE_ROLES = frozenset({"doc-noteref", "doc-backlink"})
_NOTE_ATTRIBUTES = ("data-footnote-ref", "data-footnote-backref")
_NOTE_NAMES = frozenset({"footnote", "reversefootnote"})  # values of `rel` and `class`
_NOTE_TEXT = re.compile(r"[\s,\[\]()]*(?:\w{1,3}|[*†‡§¶#]{1,3})[\s,\[\]()]*")
_MARKS = re.compile(r"[\s#¶§◆◇❡🔗⚓∞↩↵⏎↑⇑⤴^\ufe0e\ufe0f\ue000-\uf8ff]*")  # signs of links to the own heading, and icons
_FILE_NAME = re.compile(r"\S+\.(?:png|svg|jpe?g|gif|webp|avif|ico)", re.IGNORECASE)
_EXTERNAL = re.compile(r"\bnew (?:tab|window)\b|\bexternal link\b", re.IGNORECASE)  # the arrow beside a link
_COMMAND = re.compile(
    r"\b(?:copy|copied|clipboard|menu|navigation|on this page|table of contents|theme)\b", re.IGNORECASE
)
_NOT_DISPLAYED = re.compile(r"display\s*:\s*none", re.IGNORECASE)
_OPENS = ("aria-expanded", "aria-controls", "data-bs-toggle", "data-toggle", "data-target", "data-bs-target")
_TITLED = frozenset({*HEADING_TAGS, "dt", "summary", "legend", "caption", "figcaption"})
_INLINE = tags_that_show("text", "code", "control", "struck text")
_TYPED = frozenset("text number email url tel date time month week datetime-local range search".split())
_SENTENCE_END = re.compile(r"([.!?…。！？]+\s+)(?=\S)")
_AT_THE_END = re.compile(r"([.!?…。！？]*)\s*$")
_IS_STRUCK = "data-struck"
_LEVELS = 3  # between a heading and its link to itself, or its ID


def render_text(root: etree._Element, *, as_text: bool = True) -> None:
    """Rewrite the elements of a content in place; without `as_text`, keep images and struck-out elements."""
    found: dict[str, list[etree._Element]] = {tag: [] for tag in _REWRITTEN}
    for element in root.iter(*_REWRITTEN):
        found[str(element.tag)].append(element)
    for element, text in list(formulas(found)):  # all of them first, because `_stand_in` renames elements
        _stand_in(element, text)
    for tag, rewrite in _REWRITES.items():
        if as_text or tag not in _KEPT_IN_MARKUP:
            for element in found[tag]:
                rewrite(element)


def strike(element: etree._Element) -> None:
    """Put `~~` around the text of an element, or around the text of each block in it; nested marks are one."""
    if any(isinstance(part.tag, str) and part.tag in BLOCK_TAGS for part in element):
        for part in element:
            if isinstance(part.tag, str) and part.tag != "pre":
                strike(part)
        return
    if not "".join(element.itertext()).strip() or any(outer.get(_IS_STRUCK) for outer in element.iterancestors()):
        return
    element.set(_IS_STRUCK, "true")
    if not element.tail and element.getnext() is not None:
        element.tail = " "  # before what replaces it
    in_code = {part for code in element.iter("code") for part in code.iter()}
    for part in element.iter(etree.Element):
        part.text = _unstruck(part.text) if part in in_code else _between_sentences(part.text)
        if part is not element:
            is_inside = part in in_code and part.tag != "code"
            part.tail = _unstruck(part.tail) if is_inside else _between_sentences(part.tail)
    element.text = "~~" + (element.text or "").lstrip()
    last = element[-1].tail if len(element) else element.text
    last = _AT_THE_END.sub(r"~~\1", last or "", count=1)
    if len(element):
        element[-1].tail = last
    else:
        element.text = last


def _between_sentences(text: str | None) -> str | None:
    """Strike each sentence by itself, so that each can be quoted or left out."""
    text = _unstruck(text)
    return _SENTENCE_END.sub(r"~~\1~~", text) if text else text


def _unstruck(text: str | None) -> str | None:
    """Return a text without the marks of an element inside."""
    return text.replace("~~", "") if text else text


def _stand_in(element: etree._Element, text: str) -> None:
    """Let a text stand for an element; the element stays, as what readers can select."""
    alternative = etree.Element(_ALT)
    alternative.text = text
    element.addprevious(alternative)
    element.tag = _SEEN


def _replace(element: etree._Element, tag: str, text: str) -> None:
    """Replace the content of an element by a text; the text after the element stays."""
    for part in list(element):
        element.remove(part)
    element.tag, element.text = tag, text


def _in_code(element: etree._Element) -> bool:
    return next(element.iterancestors("pre"), None) is not None


def _text_of(element: etree._Element) -> str:
    return " ".join("".join(element.itertext(etree.Element)).split())


def _open_shadow_root(template: etree._Element) -> None:
    """Put the content of a declarative shadow root in place, and the host's own content into its slots.

    Source: https://html.spec.whatwg.org/multipage/scripting.html#attr-template-shadowrootmode
    """
    host = template.getparent()
    if template.get("shadowrootmode") != "open" or host is None:
        return
    assigned = [part for part in host if part is not template and isinstance(part.tag, str)]
    loose = "".join(part.tail or "" for part in host)
    for part in host:
        part.tail = None
    for slot in list(template.iter("slot")):
        name = slot.get("name") or ""
        parts = [part for part in assigned if (part.get("slot") or "") == name]
        if parts or (not name and loose.strip()):
            _replace(slot, "slot", "" if name else loose)
            slot.extend(parts)
    for part in assigned:
        if part.getparent() is host:  # without a slot, it is not shown
            host.remove(part)
    template.tag = "div"


def _close_dialog(dialog: etree._Element) -> None:
    """Leave out a dialog that is not open."""
    if dialog.get("open") is None:
        dialog.tag = "template"


def _rewrite_ruby(ruby: etree._Element) -> None:
    """Write a ruby's base text and then its annotation, so that the annotation does not split the base."""
    base, notes = [ruby.text or ""], []
    for part in ruby:
        if part.tag in {"rt", "rtc"}:
            notes.append("".join(part.itertext()).strip())
        elif part.tag != "rp":
            base.append("".join(part.itertext()))
        base.append(part.tail or "")
    word, note = ("".join("".join(parts).split()) for parts in (base, notes))
    _stand_in(ruby, f"{word}({note})" if note else word)


def _rewrite_inline(element: etree._Element) -> None:
    tag = element.tag
    if _in_code(element):
        return
    if tag == "q":
        element.text = "“" + (element.text or "")
        _append(element, "”")
    elif tag not in {"sup", "sub"}:
        strike(element)
    elif _is_note_mark(element):
        element.tag = _SEEN
        element.set("role", NOTE_MARK)
    else:
        text = _text_of(element)
        _replace(element, "span", lowered(text) if tag == "sub" else raised(text, _text_before(element)))


def _append(element: etree._Element, text: str) -> None:
    if len(element):
        element[-1].tail = (element[-1].tail or "") + text
    else:
        element.text = (element.text or "") + text


def _text_before(element: etree._Element) -> str:
    """Return the text directly before an element, in its parent."""
    before = element.getprevious()
    if before is None:
        parent = element.getparent()
        return "" if parent is None else parent.text or ""
    return before.tail or _text_of(before)


def _is_note_mark(element: etree._Element) -> bool:
    """Return whether a superscript is the mark of a footnote: a short link to a note."""
    links = [link for link in element.iter("a", _SEEN) if "#" in (link.get("href") or "")]
    if not links:
        return False
    outside = _text_of(element)
    for link in links:
        outside = outside.replace(_text_of(link), "", 1)
    return not any(map(str.isalnum, outside)) and all(_NOTE_TEXT.fullmatch(_text_of(link)) for link in links)


def _rewrite_link(link: etree._Element) -> None:
    """Mark a link to a footnote or back; leave out a heading's link to itself."""
    if "#" not in (link.get("href") or ""):
        return
    if _leads_to_note(link):
        link.tag = _SEEN
        link.set("role", NOTE_MARK)
    elif not link.get("role") and (_is_bare_sign(link) or _is_self_link(link)):
        link.tag = _SEEN
    elif _is_whole_heading(link):
        link.attrib.pop("class", None)  # generators have one class for such a link and for a sign beside the words


def _is_whole_heading(link: etree._Element) -> bool:
    parent = link.getparent()
    return parent is not None and parent.tag in HEADING_TAGS and _text_of(link) == _text_of(parent)


def _leads_to_note(link: etree._Element) -> bool:
    if any(link.get(name) is not None for name in _NOTE_ATTRIBUTES):
        return True
    names = {*(link.get("class") or "").split(), *(link.get("rel") or "").split()}
    if not names.isdisjoint(MERGED.footnote_marks):
        return True
    has_role = link.get("role") in _NOTE_ROLES
    if not has_role and names.isdisjoint(_NOTE_NAMES) and not (len(link) == 1 and link[0].tag == "sup"):
        return False
    text = _text_of(link)
    if _NOTE_TEXT.fullmatch(text):
        return True
    # Docutils gives the role to headings that link back to a table of contents
    return has_role and _MARKS.fullmatch(text) is not None


def _is_bare_sign(link: etree._Element) -> bool:
    """Return whether a link within the page has no text but a sign, such as `#` or `¶`."""
    if not (link.get("href") or "").startswith("#"):
        return False
    return next(link.iter("code", "img", "kbd"), None) is None and _MARKS.fullmatch(_text_of(link)) is not None


def _is_self_link(link: etree._Element) -> bool:
    """Return whether a link leads to the heading that it stands in or beside, and is not the whole heading."""
    name = unquote((link.get("href") or "").partition("#")[2])
    if not name:
        return False
    beside = (link.getprevious(), link.getnext())
    if any(one is not None and one.tag in HEADING_TAGS and one.get("id") == name for one in beside):
        return True
    around = list(islice(link.iterancestors(), _LEVELS))
    heading = next((one for one in around if one.tag in _TITLED), None)
    if heading is None:
        return False
    holders = (link, heading, *islice(heading.iterancestors(), _LEVELS))
    if all(name not in {one.get("id"), one.get("name")} for one in holders):  # true of most links in a heading
        return False
    return not _is_name_in(link, heading, name)


def _is_name_in(link: etree._Element, heading: etree._Element, anchor: str) -> bool:
    """Return whether a heading's link to itself is a part of its words: all of them, one amid others, or its name."""
    text, title = _text_of(link), _text_of(heading)
    if text == title:
        return True
    before, _, after = title.partition(text) if text else (title, "", "")
    is_amid = any(map(str.isalnum, before)) and any(map(str.isalnum, after))
    return is_amid or (bool(text) and re.search(rf"\W{re.escape(text)}$", anchor) is not None)


def _rewrite_picture(picture: etree._Element) -> None:
    """Replace a picture by its alternative text, if it has one that its surroundings do not repeat."""
    text = _alternative(picture) if picture.tag == "img" or picture.get("aria-hidden") != "true" else ""
    if text and not _in_code(picture) and not _is_repeated(picture, text):
        _replace(picture, _ALT, text)
        picture.set("role", "img")


def _alternative(picture: etree._Element) -> str:
    if picture.tag == "img":
        text = picture.get("alt")
        text = (picture.get("aria-label") or picture.get("title") or "") if text is None else text
    else:
        title = picture.find("title")
        text = picture.get("aria-label") or (_text_of(title) if title is not None else "")
    text = " ".join(text.split())
    return "" if _FILE_NAME.fullmatch(text) or _EXTERNAL.search(text) else text


def _is_repeated(picture: etree._Element, text: str) -> bool:
    """Return whether the text beside a picture repeats its alternative, as in a link with an icon or a caption."""
    before = picture.getprevious()
    if before is not None and before.tag == _ALT and before.text == text:  # the same picture for another theme
        return True
    around = islice(picture.iterancestors("a", "button", "figure", "h1", "h2", "h3", "h4", "h5", "h6"), 1)
    return any(text.casefold() in _text_of(one).casefold() for one in around)


def _rewrite_control(control: etree._Element) -> None:
    """Replace a control by its text if readers read it as part of a sentence or a heading, or open a text with it."""
    if control.tag == "button":
        if _is_text_button(control):
            control.tag = "span"
        elif _opens_text(control):
            control.tag = "p"
            control.set("role", "heading")
            control.set("aria-level", "6")
        return
    text = _value(control)
    if text and _is_in_sentence(control):
        _replace(control, _ALT, text)


def _value(control: etree._Element) -> str:
    """Return the value that a control shows: its own, its placeholder, or its selected option."""
    if control.tag == "input":
        shown = (control.get("type") or "text").lower() in _TYPED
        return (control.get("value") or control.get("placeholder") or "") if shown else ""
    if control.tag == "textarea":
        return _text_of(control) or control.get("placeholder") or ""
    options = list(control.iter("option"))
    chosen = next((option for option in options if option.get("selected") is not None), None)
    return _text_of(chosen if chosen is not None else options[0]) if options else ""


def _is_text_button(button: etree._Element) -> bool:
    if not _text_of(button) or _in_code(button) or button.get("role") == "tab" or _is_command(button):
        return False
    inside = next((one for one in islice(button.iterancestors(), _LEVELS) if one.tag in _TITLED), None)
    return inside is not None or _is_in_sentence(button)


def _is_command(button: etree._Element) -> bool:
    """Return whether a button belongs to the page and not to its text, such as a button that copies code."""
    names = (button.get("class") or "", button.get("title") or "", button.get("aria-label") or "", _text_of(button))
    return _COMMAND.search(" ".join(names).replace("-", " ").replace("_", " ")) is not None


def _is_in_sentence(element: etree._Element) -> bool:
    """Return whether letters stand beside an element within its block."""
    for parent in element.iterancestors():
        texts = (parent.text, *(part.tail for part in parent))
        if any(text and any(map(str.isalnum, text)) for text in texts):
            return True
        if parent.tag not in _INLINE:
            return False
    return False


def _opens_text(button: etree._Element) -> bool:
    """Return whether a button opens a text, as in an accordion; the text is no longer hidden then."""
    if button.get("role") == "tab" or not _text_of(button) or _in_code(button) or _is_command(button):
        return False
    panel = next(_controlled(button), None)
    if panel is None or (all(button.get(name) is None for name in _OPENS) and not _is_closed(panel)):
        return False
    panel.attrib.pop("hidden", None)
    panel.attrib.pop("style", None)
    return True


def _is_closed(panel: etree._Element) -> bool:
    return panel.get("hidden") is not None or _NOT_DISPLAYED.search(panel.get("style") or "") is not None


def _controlled(button: etree._Element) -> Iterator[etree._Element]:
    """Yield the elements that a button opens: those that it names, or else what follows it."""
    names = (button.get("aria-controls") or button.get("data-bs-target") or button.get("data-target") or "").split()
    for name in names:
        yield from button.getroottree().getroot().iterfind(f".//*[@id='{name.removeprefix('#')}']")
    following = button.getnext()
    if not names and following is not None and following.tag in BLOCK_TAGS:
        yield following


_REWRITES: Mapping[str, Callable[[etree._Element], None]] = {
    "template": _open_shadow_root,
    "dialog": _close_dialog,
    "ruby": _rewrite_ruby,
    "a": _rewrite_link,
    **dict.fromkeys(sorted(tags_that_show("superscript", "subscript", "struck text", "quotation")), _rewrite_inline),
    "img": _rewrite_picture,
    "svg": _rewrite_picture,
    **dict.fromkeys(("button", "input", "select", "textarea"), _rewrite_control),
}
"""How the elements of each tag are rewritten, in this order."""

_KEPT_IN_MARKUP = tags_that_show("struck text") | {"img"}
_REWRITTEN = (*FORMULA_TAGS, *_REWRITES)
