"""Insert links into a section's Markdown. The index stores the text of a link, but not its position."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from pincite_core.search.terms import runs_of_signs

__all__ = ("LinkedText", "linked", "markdown_link")

_CODE_SPAN = re.compile(r"(?<!`)(`+)(?!`)(?:.*?[^`])\1(?!`)", re.DOTALL)
_TOKEN = re.compile(r"\w+|[^\w\s]|\s+")
_TABLE_HEAD = re.compile(r"(?:> )?\|[^\n]*\n(?:> )?\|(?: --- \|)+")
_SHORTEST = 2  # characters; a single letter is ambiguous


@dataclass(slots=True)
class LinkedText:
    """The Markdown of a block and its inserted links, each as start, end and replacement."""

    text: str
    taken: list[tuple[int, int, str]] = field(default_factory=list)
    _spans: list[tuple[int, int]] = field(init=False)
    _heads: list[tuple[int, int]] = field(init=False)

    def __post_init__(self) -> None:
        self._spans = [match.span() for match in _CODE_SPAN.finditer(self.text)]
        self._heads = [match.span() for match in _TABLE_HEAD.finditer(self.text)]

    def place(self, words: str) -> tuple[int, int] | None:
        """Return the first position of whole words that no other link covers; None if there is none.

        The words may contain a whole code span, but not a part of one.
        """
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
    """Yield each text with its links inserted."""
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
    """Return a pattern that matches the words with code marks between them, because a link's text has no code marks."""
    return re.compile("`*" + "`*".join(map(re.escape, _TOKEN.findall(words))) + "`*")


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Return whether a match is not part of a longer word. Scripts without blanks have no word edges."""
    edges = ((text[start - 1 : start], text[start]), (text[end - 1], text[end : end + 1]))
    return not any(left.isalnum() and right.isalnum() and not runs_of_signs(left + right) for left, right in edges)
