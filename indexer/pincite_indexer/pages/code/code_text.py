"""Read the text of code as its reader types it: line by line, without line numbers, prompts, labels or removed lines.

What counts as a block of code, and its language, is in `code_blocks`.
"""

import re
from dataclasses import dataclass, field
from enum import Enum, auto
from functools import lru_cache

from lxml import etree

from pincite_indexer.generators.known_generators import MERGED
from pincite_indexer.pages.code.code_prompts import CALLOUT, PROMPT, CodeLines, typed_lines, without_callouts
from pincite_indexer.pages.markup import is_hidden

__all__ = ("read_code",)

_LETTER = re.compile(r"[^\W\d_]")
_DEPTH = 100  # levels inside a block of code; deeper nesting is hostile, and its text is read without its markup
_ALL_TEXT = etree.XPath("string()", smart_strings=False)
_ROWS = frozenset({"div", "li", "p", "tr", "pre"})  # elements that stand on lines of their own
_NO_BREAK_SPACE = "\xa0"
_STRUCK = frozenset({"del", "s", "strike"})
_LEFT_OUT = frozenset(  # `summary` is the label of folded lines, and `alt` the text of a picture
    "button summary svg img alt picture canvas script style template input select textarea iframe caption nav".split()
)
_TAG = re.compile(r"(<[^>]*>)")
_BREAK = "\x03"  # a `br` in the source; this character is invisible
_PLAIN_TAGS = frozenset("pre code span div a em strong i u".split())
_PLAIN_ATTRIBUTES = frozenset("class style id name href title target rel tabindex translate dir lang data-lang".split())
_MAY_HIDE = re.compile(r"none|hidden|collapse|transparent|white|#fff|255|font-size|select", re.I)
_CLASS_ONLY = ["class"]
_DIFF = frozenset({"diff", "patch", "udiff"})  # languages whose text has its own signs for removed lines
_SIGNS = ("-", "<", "\u2212")
_NUMBER_CLASS = re.compile(r"line[-_]?n(?:um|o(?:s|$|[-_ ]))|(?:^|[-_ ])(?:gutter|ln|blob-num)(?:$|[-_ ])", re.I)
_NUMBER = re.compile(r"\s*(?:\d+[.:|]?)?\s*")
_NUMBER_ATTRIBUTES = ("data-line-number", "data-linenumber", "data-linenos")
_CALLOUT_CLASS = re.compile(r"(?:^|[-_ ])(?:conum|callout|callout-number)(?:$|[-_ ])", re.I)
_CALLOUT_TEXT = re.compile(r"\s*(?:[(<]?\d{0,3}[)>]?|[\u2460-\u2473\u2776-\u277f])\s*")  # `(1)` or a circled digit
_CALLOUT_TAGS = {"b": re.compile(r"\(\d{1,3}\)"), "alt": re.compile(r"\(?\d{1,3}\)?")}  # without attributes
_COPY_CLASS = re.compile(r"(?:^|[-_ ])(?:copy|copied|clipboard|no-?copy|copy-?(?:btn|button|code))(?:$|[-_ ])", re.I)
_COPY_LABEL = 40  # characters; a longer text is code that can be copied
_PROMPT_TEXT = re.compile(r"[^\n]{0,60}[$#>%:.~\]\u00bb\u276f\u2771]\s*")
_REMOVED_CLASS = re.compile(r"(?:^|[-_ ])(?:del|deleted?|deletion|removed?|removal|gd)(?:$|[-_ ])", re.I)
_TOKEN_CLASS = re.compile(r"token|hljs-(?!ln)|pl-|cm-|(?:^|\s)[a-z][a-z0-9]?(?:\s|$)")
_UNSELECTABLE = re.compile(r"user-select\s*:\s*none", re.I)
_UNSELECTABLE_CLASS = re.compile(r"(?:^|[-_ ])(?:select-none|no-?select|unselectable)(?:$|[-_ ])", re.I)
_CLASS_ATTRIBUTES = 4096  # distinct attributes in the cache; a site has a few hundred


class _Part(Enum):
    """What an element is to a reader who types the code."""

    TEXT = auto()
    LINE = auto()
    ASIDE = auto()
    PROMPT = auto()
    CALLOUT = auto()
    NUMBER = auto()  # an aside if its text is a number
    LABEL = auto()  # an aside if its text is short
    REMOVED = auto()


def read_code(element: etree._Element, language: str = "", *, has_shell_prompts: bool = False) -> CodeLines:
    """Return the code of an element; all its text if nothing would be left of it but a column of line numbers."""
    if (plain := _plain_code(element)) is not None:
        return typed_lines(plain, has_shell_prompts=has_shell_prompts)
    reader = _CodeReader(is_diff=language in _DIFF, is_pre=element.tag == "pre")
    reader.read(element)
    text = reader.text()
    if not text.strip() and _LETTER.search(shown := str(_ALL_TEXT(element))):
        return CodeLines(shown)
    return typed_lines(text, has_shell_prompts=has_shell_prompts)


def _plain_code(element: etree._Element) -> str | None:
    """Return the text of code that has only coloured words in it; None if its elements must be read one by one.

    Most code is like this. Its distinct tags are few, and their meanings are cached.
    """
    source = str(etree.tostring(element, encoding="unicode", with_tail=False)).replace("<br/>", _BREAK)
    parts = _TAG.split(source)
    texts, tags = parts[::2], parts[1::2]
    distinct = set(tags)
    meanings = {tag: _meaning_of_tag(tag) for tag in distinct}
    if None in meanings.values() or source.count("<code") > 1:
        return None
    text = "".join(texts)
    lines = sum(tags.count(tag) for tag, part in meanings.items() if part is _Part.LINE)
    breaks = text.count(_BREAK)
    if lines > (breaks or text.count("\n") + 1) or text.lstrip()[:1].isdecimal():
        return None
    return text.replace(_BREAK, "\n").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


@lru_cache(_CLASS_ATTRIBUTES)
def _meaning_of_tag(tag: str) -> _Part | None:
    """Return whether a tag in the source is of coloured words or of a line; None if it may be anything else."""
    if tag.startswith("</"):
        return _Part.TEXT
    try:
        element = etree.fromstring(tag.rstrip("/>") + "/>")
    except etree.XMLSyntaxError:  # a comment, or an attribute that only HTML allows
        return None
    if element.tag not in _PLAIN_TAGS or not _PLAIN_ATTRIBUTES.issuperset(element.keys()):
        return None
    if _MAY_HIDE.search(element.get("style") or ""):
        return None
    if element.tag in {"pre", "code"}:
        return _Part.TEXT
    part = _part_of_class(str(element.tag), element.get("class") or "")
    return part if part is _Part.TEXT or part is _Part.LINE else None


@dataclass(slots=True)
class _CodeReader:
    """Collector of the text of one block of code."""

    is_diff: bool
    is_pre: bool  # whether white space between elements counts
    parts: list[str] = field(default_factory=list)
    numbers: list[tuple[int, int]] = field(default_factory=list)  # number at the start of a line, and its part's index
    drops_break: bool = False  # whether the next line break belongs to a line that was left out

    def read(self, element: etree._Element, depth: int = 0) -> None:
        """Add the text of an element and its children."""
        if depth > _DEPTH:
            self.parts.append(str(_ALL_TEXT(element)))
            return
        if text := element.text:
            self.parts.append(text)
        previous = ""
        for child in element:
            tag, part = child.tag, _Part.TEXT
            if isinstance(tag, str):
                part = self._read_child(child, tag, previous, depth)
                previous = tag
            if tail := child.tail:
                self._read_tail(tail, part)
                previous = ""

    def _read_child(self, child: etree._Element, tag: str, previous: str, depth: int) -> _Part:
        if tag == "br":
            self.parts.append("" if self.drops_break else "\n")
            self.drops_break = False
            return _Part.TEXT
        part = _part_of(child, tag)
        if part is _Part.TEXT:
            self.drops_break = False
            if tag == "code" == previous:
                self._start_line()
            self._read_token(child, depth)
        elif part is _Part.LINE:
            self._read_line(child, tag, depth)
        elif part is _Part.PROMPT:
            prompt = str(_ALL_TEXT(child))
            if _PROMPT_TEXT.fullmatch(prompt):
                self.parts.append(PROMPT if prompt.endswith((" ", "\t")) else PROMPT + PROMPT)
            else:  # the class is of the whole command
                self.read(child, depth + 1)
        elif part is _Part.CALLOUT:
            self.parts.append(CALLOUT)
        elif part is _Part.REMOVED:
            self._read_removed(child, tag, depth)
        return part

    def _read_tail(self, tail: str, part: _Part) -> None:
        if self.drops_break:
            tail = tail.removeprefix("\n")
            self.drops_break = False
        elif part is _Part.ASIDE and self._is_at_start():
            tail = tail.removeprefix(_NO_BREAK_SPACE)  # between a line number and the line
        if self.is_pre or part is not _Part.LINE or not tail.isspace():
            self.parts.append(tail)

    def _read_token(self, child: etree._Element, depth: int) -> None:
        if len(child):
            self.read(child, depth + 1)
            return
        text = child.text or ""
        if text.strip().isdecimal() and self._is_at_start():
            names = child.get("class") or ""
            if not _TOKEN_CLASS.search(names) and "color" not in (child.get("style") or ""):
                self.numbers.append((int(text.strip()[:9]), len(self.parts)))
        self.parts.append(text)

    def _read_line(self, child: etree._Element, tag: str, depth: int) -> None:
        self._start_line()
        self.drops_break = False
        start = len(self.parts)
        self.read(child, depth + 1)
        last = self.parts[-1] if len(self.parts) > start else ""
        if tag in _ROWS and not last.endswith("\n") and (last or _is_line(child, tag)):
            self.parts.append("\n")

    def _read_removed(self, child: etree._Element, tag: str, depth: int) -> None:
        """Read a removed part only if its own text shows that it is removed, as in a diff."""
        is_line = tag in _ROWS or _is_line(child, tag)
        signed = str(_ALL_TEXT(child)).lstrip().startswith(_SIGNS)
        if tag in _STRUCK or not (signed or (self.is_diff and not is_line)):
            self.drops_break = self._is_at_start()
        elif is_line:
            self._read_line(child, tag, depth)
        else:
            self.read(child, depth + 1)

    def _is_at_start(self) -> bool:
        last = next(filter(None, reversed(self.parts)), "\n")
        return last.endswith("\n")

    def _start_line(self) -> None:
        if not self._is_at_start():
            self.parts.append("\n")

    def text(self) -> str:
        """Return the text without callouts, and without numbers that count its lines."""
        first = self.numbers[0][0] if self.numbers else 0
        if len(self.numbers) > 1 and all(number == first + at for at, (number, _) in enumerate(self.numbers)):
            lines = "".join(self.parts).strip("\n").count("\n") + 1
            for _, place in self.numbers if len(self.numbers) == lines else ():
                self.parts[place] = ""
        return without_callouts("".join(self.parts))


def _part_of(element: etree._Element, tag: str) -> _Part:
    keys = element.keys()
    if not keys:
        if tag in _CALLOUT_TAGS and _CALLOUT_TAGS[tag].fullmatch(element.text or ""):
            return _Part.CALLOUT
        return _part_of_class(tag, "")
    part = _part_of_class(tag, element.get("class") or "")
    if part is _Part.NUMBER or part is _Part.LABEL or part is _Part.CALLOUT:
        return _checked(element, tag, part)
    return part if keys == _CLASS_ONLY else _part_by_attributes(element, tag, part)


def _part_by_attributes(element: etree._Element, tag: str, part: _Part) -> _Part:
    if part is _Part.ASIDE or part is _Part.PROMPT:
        is_callout = tag == "img" and _CALLOUT_TAGS["alt"].fullmatch(element.get("alt") or "")
        return _Part.CALLOUT if is_callout else part
    style = element.get("style")
    if (
        (style and _UNSELECTABLE.search(style))
        or element.get("aria-hidden") == "true"
        or element.get("data-nosnippet") is not None
        or element.get("role") in {"button", "tooltip"}
        or element.get("unselectable") == "on"
        or is_hidden(element)
    ):
        return _Part.ASIDE
    number = next((value for name in _NUMBER_ATTRIBUTES if (value := element.get(name))), "")
    return _Part.ASIDE if number and str(_ALL_TEXT(element)).strip() == number.strip() else part


@lru_cache(_CLASS_ATTRIBUTES)
def _part_of_class(tag: str, attribute: str) -> _Part:
    names = attribute.split()
    if tag in _LEFT_OUT or _UNSELECTABLE_CLASS.search(attribute):
        return _Part.ASIDE
    if _CALLOUT_CLASS.search(attribute):
        return _Part.CALLOUT
    if not MERGED.code_asides.isdisjoint(names):
        return _Part.ASIDE
    if not MERGED.code_prompts.isdisjoint(names):
        return _Part.PROMPT
    if tag in _STRUCK or _REMOVED_CLASS.search(attribute):
        return _Part.REMOVED
    if _NUMBER_CLASS.search(attribute):
        return _Part.NUMBER
    if _COPY_CLASS.search(attribute) or not MERGED.furniture.isdisjoint(names):
        return _Part.LABEL
    return _Part.LINE if tag in _ROWS or _is_line_class(names) else _Part.TEXT


def _checked(element: etree._Element, tag: str, part: _Part) -> _Part:
    """Return what an element is whose class names a line number, a callout or a copy button, by its text as well."""
    text = str(_ALL_TEXT(element))
    if part is _Part.LABEL:
        is_aside = len(text.strip()) <= _COPY_LABEL and "\n" not in text.strip()
    elif part is _Part.CALLOUT:
        is_aside = _CALLOUT_TEXT.fullmatch(text) is not None
    else:
        is_aside = all(_NUMBER.fullmatch(line) for line in text.split("\n"))
    if is_aside:
        return _Part.CALLOUT if part is _Part.CALLOUT else _Part.ASIDE
    return _Part.LINE if _is_line(element, tag) else _Part.TEXT


def _is_line(element: etree._Element, tag: str) -> bool:
    return tag in _ROWS or _is_line_class((element.get("class") or "").split())


def _is_line_class(names: list[str]) -> bool:
    return not MERGED.code_lines.isdisjoint(names) and "token" not in names  # Prism's tokens include `token line`
