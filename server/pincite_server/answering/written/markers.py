"""Citation markers with random letters, so that no text in the docs can forge one.

A marker is `[kvtmq-2]`: five random letters, new for each reply, and the number of an excerpt. `[kvtmq-0]` says that
the excerpts do not hold the answer.
"""

import re
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

__all__ = ("MARKER_GROUPS", "MarkedText", "Markers", "quoted")

_LETTERS = "bcdfghjkmnpqrstvwxz"  # without vowels, to form no words, and without letters that look like digits
_LENGTH = 5  # 2.5 million possibilities; a text in the docs was written before the letters are drawn
_ITEM = rf"(?:\^?\d{{1,3}}|[{_LETTERS}]{{{_LENGTH}}}-?\d{{1,3}})"
_GROUP = rf"(?:\[\s*{_ITEM}(?:\s*[,;]\s*{_ITEM})*\s*\]|【\s*{_ITEM}[^】\n]{{0,20}}】)"
MARKER_GROUPS = re.compile(rf"\s*{_GROUP}(?:\s*{_GROUP})*")
"""Matches text in the form of citation markers, known or not, with the blanks before it: `[kvtmq-2]`, `[1, 2]`, `[^3]`,
`【4】`."""
_CITATION = re.compile(  # `items[0]` is no citation, `items[kvtmq-1]` is one
    rf"\s*(?:(?<![\w\]])|(?=[\[【]\s*[{_LETTERS}]{{{_LENGTH}}}-?\d)){_GROUP}(?:\s*{_GROUP})*"
)
_CODE_SPAN = re.compile(r"(`+).+?\1", re.DOTALL)


def quoted(name: str, text: str, nonce: str, number: int | None = None) -> str:
    """Return quoted material of a prompt between tags whose random letters no text in it has."""
    opening = f"{name} {nonce}" if number is None else f"{name} {nonce}-{number}"
    return f"<{opening}>\n{text}\n</{name} {nonce}>"


@dataclass(frozen=True, slots=True)
class MarkedText:
    """A text without its citation markers.

    Attributes:
        text: The text.
        excerpts: The numbers of the excerpts that the markers name, in order.
        unknown: The number of markers that name no excerpt.
        declines: Whether a marker says that the excerpts do not hold the answer.
    """

    text: str
    excerpts: tuple[int, ...]
    unknown: int
    declines: bool


@dataclass(frozen=True, slots=True)
class Markers:
    """The citation markers of one reply, for excerpts 1 to `count`."""

    nonce: str
    count: int

    @classmethod
    def draw(cls, count: int, texts: Iterable[str] = ()) -> Self:
        """Return new markers whose letters occur in none of `texts`."""
        shown = "\n".join(texts)
        while (nonce := "".join(secrets.choice(_LETTERS) for _ in range(_LENGTH))) in shown:
            pass
        return cls(nonce, count)

    def marker(self, number: int) -> str:
        """Return the marker of an excerpt; number 0 is the marker for no answer."""
        return f"[{self.nonce}-{number}]"

    def read(self, text: str) -> MarkedText:
        """Remove the markers from a text. Inline code is unchanged, unless the code is itself a marker."""
        found: list[str] = []
        parts: list[str] = []
        cursor = 0
        for span in _CODE_SPAN.finditer(text):
            inner = span.group().strip("`")
            parts.append(self._strip(text[cursor : span.start()], found))
            parts.append(self._strip(inner, found) if MARKER_GROUPS.fullmatch(inner) else span.group())
            cursor = span.end()
        parts.append(self._strip(text[cursor:], found))
        numbers = [self._number(item) for item in found]
        known = dict.fromkeys(number for number in numbers if number)
        return MarkedText("".join(parts).strip(), tuple(known), numbers.count(None), 0 in numbers)

    def _strip(self, text: str, found: list[str]) -> str:
        """Return prose without marker groups, and without the reply's random letters outside brackets."""

        def take(match: re.Match[str]) -> str:
            found.extend(re.findall(_ITEM, match.group()))
            return ""

        return re.sub(rf"\s*\(?\b{self.nonce}(?:-?\d+)?\b\)?", take, _CITATION.sub(take, text))

    def _number(self, item: str) -> int | None:
        """Return the number of the excerpt that a marker names; None if it is not a marker of this reply."""
        nonce, _, number = item.rpartition("-")
        known = nonce == self.nonce and number.isdigit() and int(number) <= self.count
        return int(number) if known else None
