"""Forms of words that are looked for in a text, bounded as the language's script parts its words."""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Literal

__all__ = ("NONE", "Bounds", "Phrases", "bounded")

Bounds = Literal["words", "starts", "none"]
"""How a form stands in a text: as whole words, at the beginning of one (Korean: particles follow), or anywhere."""

# For Python the vowel signs of Hindi and Arabic are no part of a word.
_LETTER = r"[\w\u064b-\u0652\u0900-\u0903\u093a-\u094f\u0951-\u0957\u0962\u0963]"
_BEFORE, _AFTER = f"(?<!{_LETTER})", f"(?!{_LETTER})"
_MARKS_BEFORE = r"[\s¿¡]*"
_MARKS_AFTER = r"[\s\"'”»’」』)\].!?。！？؟…]*"


class Phrases:
    """Regular expressions, without regard to capitals: at the beginning of a text, anywhere in it, at its end.

    They are compiled when they are first looked for: most tables of most sites never are.
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
        """Whether a text has any of them; never, when a language has none."""
        return bool(self._opening.match(text) or self._anywhere.search(text) or self._ending.search(text))

    def spans_in(self, text: str) -> Iterator[re.Match[str]]:
        """Yield the places of those that may stand anywhere."""
        return self._anywhere.finditer(text)

    def words_in(self, text: str) -> list[str]:
        """Return those that may stand anywhere, as the text has them."""
        return [match.group() for match in self.spans_in(text)]

    def removed_from(self, text: str) -> str:
        """Return a text with a blank for each of those that may stand anywhere."""
        return self._anywhere.sub(" ", text)

    @property
    def opening(self) -> str:
        """What matches a text at its beginning."""
        after = _AFTER if self.bounds == "words" else ""
        return _between(self.opens, f"^{_MARKS_BEFORE}(?:", f"){after}")

    @property
    def anywhere(self) -> str:
        """What is found anywhere in a text."""
        return bounded(self.has, self.bounds)

    @property
    def ending(self) -> str:
        """What is found at a text's end."""
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
"""What a language has that has none: nothing is found."""


def bounded(alternatives: Sequence[str], bounds: Bounds) -> str:
    """Return a pattern of any of some alternatives as they stand in a text; one that matches nothing, of none."""
    if not alternatives:
        return r"(?!)"
    before = _BEFORE if bounds != "none" else ""
    after = _AFTER if bounds == "words" else ""
    return f"{before}(?:{'|'.join(alternatives)}){after}"


def _between(alternatives: Sequence[str], before: str, after: str) -> str:
    return f"{before}{'|'.join(alternatives)}{after}" if alternatives else r"(?!)"
