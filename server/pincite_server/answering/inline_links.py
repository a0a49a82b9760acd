"""Links put back into a section's Markdown at their words: the index has the text of a link, not its place."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from pincite_core.search.terms import runs_of_signs

__all__ = ("LinkedText", "linked", "markdown_link")

_CODE_SPAN = re.compile(r"(?<!`)(`+)(?!`)(?:.*?[^`])\1(?!`)", re.DOTALL)
_TOKEN = re.compile(r"\w+|[^\w\s]|\s+")
_TABLE_HEAD = re.compile(r"(?:> )?\|[^\n]*\n(?:> )?\|(?: --- \|)+")
_SHORTEST = 2  # characters; a single letter stands for other things as well


@dataclass(slots=True)
class LinkedText:
    """A block's Markdown, and the places in it that links have taken: start, end, replacement."""

    text: str
    taken: list[tuple[int, int, str]] = field(default_factory=list)
    _spans: list[tuple[int, int]] = field(init=False)
    _heads: list[tuple[int, int]] = field(init=False)

    def __post_init__(self) -> None:
        self._spans = [match.span() for match in _CODE_SPAN.finditer(self.text)]
        self._heads = [match.span() for match in _TABLE_HEAD.finditer(self.text)]

    def place(self, words: str) -> tuple[int, int] | None:
        """Return where the words first stand whole and free, outside code or as the whole of it; None when nowhere."""
        if len(words) < _SHORTEST:
            return None
        free = (match.span() for match in _pattern(words).finditer(self.text) if self._is_free(*match.span()))
        return next(free, None)

    def _is_free(self, start: int, end: int) -> bool:
        if any(start < right and left < end for left, right, _ in self.taken):
            return False
        if any(start < right and left < end for left, right in self._heads):
            return False
        cut = (start < right and left < end and not (start <= left and right <= end) for left, right in self._spans)
        return not any(cut) and _stands_alone(self.text, start, end)


def linked(texts: Sequence[LinkedText]) -> Iterator[str]:
    """Yield each text with its links in place."""
    for one in texts:
        parts, cursor = list[str](), 0
        for start, end, replacement in sorted(one.taken):
            parts.extend((one.text[cursor:start], replacement))
            cursor = end
        yield "".join((*parts, one.text[cursor:]))


def markdown_link(text: str, url: str) -> str:
    """Return a link as Markdown; parentheses in the URL are encoded."""
    return f"[{text}]({url.replace('(', '%28').replace(')', '%29')})"


def _pattern(words: str) -> re.Pattern[str]:
    """Return a pattern of the words that allows code marks between them, which a link's text lacks."""
    return re.compile("`*" + "`*".join(map(re.escape, _TOKEN.findall(words))) + "`*")


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Return whether no word goes on across either edge. Scripts without blanks have no such edges."""
    edges = ((text[start - 1 : start], text[start]), (text[end - 1], text[end : end + 1]))
    return not any(left.isalnum() and right.isalnum() and not runs_of_signs(left + right) for left, right in edges)
