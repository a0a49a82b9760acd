"""Phrase matching in texts, with word boundaries that fit the script of the language."""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Literal

__all__ = ("NONE", "Bounds", "Phrases", "bounded")

Bounds = Literal["words", "starts", "none"]
"""Where a phrase matches: as whole words, at the start of a word (Korean: particles follow), or anywhere."""

# \w does not match the vowel signs of Hindi and Arabic.
_LETTER = r"[\w\u064b-\u0652\u0900-\u0903\u093a-\u094f\u0951-\u0957\u0962\u0963]"
_BEFORE, _AFTER = f"(?<!{_LETTER})", f"(?!{_LETTER})"
_MARKS_BEFORE = r"[\s¿¡]*"
_MARKS_AFTER = r"[\s\"'”»’」』)\].!?。！？؟…]*"


class Phrases:
    """Case-insensitive phrases that match at the start of a text, anywhere in a text, or at its end.

    Patterns are compiled on first use, because most sites use few tables.

    Args:
        opens: Regular expressions for the start of a text.
        has: Regular expressions for any position in a text.
        ends: Regular expressions for the end of a text.
        bounds: The word boundaries around matches.
    """

    def __init__(
        self,
        opens: tuple[str, ...] = (),
        has: tuple[str, ...] = (),
        ends: tuple[str, ...] = (),
        bounds: Bounds = "words",
    ) -> None:
        self.opens, self.has, self.ends, self.bounds = opens, has, ends, bounds

    def __bool__(self) -> bool:
        return bool(self.opens or self.has or self.ends)

    def found_in(self, text: str) -> bool:
        """Return whether a text contains any of the phrases; always false if there are no phrases."""
        if self.opens and self._opening.match(text):
            return True
        return bool((self.has and self._anywhere.search(text)) or (self.ends and self._ending.search(text)))

    def spans_in(self, text: str) -> Iterator[re.Match[str]]:
        """Yield the matches of the phrases in `has`."""
        return self._anywhere.finditer(text)

    def words_in(self, text: str) -> list[str]:
        """Return the matched text of the phrases in `has`."""
        return [match.group() for match in self.spans_in(text)]

    def removed_from(self, text: str) -> str:
        """Return a text with a space in place of each match of the phrases in `has`."""
        return self._anywhere.sub(" ", text)

    @property
    def opening(self) -> str:
        """The pattern of the phrases at the start of a text."""
        after = _AFTER if self.bounds == "words" else ""
        return _between(self.opens, f"^{_MARKS_BEFORE}(?:", f"){after}")

    @property
    def anywhere(self) -> str:
        """The pattern of the phrases anywhere in a text."""
        return bounded(self.has, self.bounds)

    @property
    def ending(self) -> str:
        """The pattern that matches one of the phrases at the end of a text."""
        before = _BEFORE if self.bounds != "none" else ""
        return _between(self.ends, f"{before}(?:", f"){_MARKS_AFTER}$")

    @cached_property
    def _opening(self) -> re.Pattern[str]:
        return re.compile(self.opening, re.IGNORECASE)

    @cached_property
    def _anywhere(self) -> re.Pattern[str]:
        return re.compile(self.anywhere, re.IGNORECASE)

    @cached_property
    def _ending(self) -> re.Pattern[str]:
        return re.compile(self.ending, re.IGNORECASE)


NONE = Phrases()
"""An empty set of phrases, which matches nothing."""


def bounded(alternatives: Sequence[str], bounds: Bounds) -> str:
    """Return a pattern that matches any of the alternatives within word boundaries; nothing if there are none."""
    if not alternatives:
        return r"(?!)"
    before = _BEFORE if bounds != "none" else ""
    after = _AFTER if bounds == "words" else ""
    return f"{before}(?:{'|'.join(alternatives)}){after}"


def _between(alternatives: Sequence[str], before: str, after: str) -> str:
    return f"{before}{'|'.join(alternatives)}{after}" if alternatives else r"(?!)"
