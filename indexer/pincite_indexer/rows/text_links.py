"""Find the words of links in the texts of units. A page's links say their words, and the block that contains them."""

from collections.abc import Iterator, Sequence

from pincite_core.quoting.table_rows import cell_spans
from pincite_core.search.terms import runs_of_signs
from pincite_core.types import TextLink

__all__ = ("link_place",)

_SHORTEST = 2  # characters; a single letter is ambiguous


def link_place(text: str, words: str, taken: Sequence[TextLink], cells: Sequence[int] = ()) -> tuple[int, int] | None:
    """Return the first place of a link's words in a unit that no other link covers; None if there is none.

    Args:
        text: The unit's text. Its code marks are not part of the words. The words may contain a whole code span, but
            not a part of one.
        words: The link's words.
        taken: The links that have a place in the unit.
        cells: The lengths in `Unit.cells` for a table row, whose column names contain no links.
    """
    if len(words) < _SHORTEST:
        return None
    inside = list(cell_spans(cells)) or [(0, len(text))]
    for start, end in _occurrences(text, words):
        is_free = all(end <= one.start or one.end <= start for one in taken)
        if (
            is_free
            and _stands_alone(text, start, end)
            and any(left <= start and end <= right for left, right in inside)
        ):
            return start, end
    return None


def _occurrences(text: str, words: str) -> Iterator[tuple[int, int]]:
    if "`" not in text:
        at = text.find(words)
        while at >= 0:
            yield at, at + len(words)
            at = text.find(words, at + 1)
        return
    offsets = [at for at, letter in enumerate(text) if letter != "`"]
    for at, _ in _occurrences(text.replace("`", ""), words):
        start, end = offsets[at], offsets[at + len(words) - 1] + 1
        opens, closes = text.count("`", 0, start) % 2, text.count("`", 0, end) % 2  # 1 inside of code
        if (not opens or text[start - 1] == "`") and (not closes or text[end : end + 1] == "`"):
            yield start - opens, end + closes


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Return whether a match is not part of a longer word. Scripts without blanks have no word edges."""
    edges = ((text[start - 1 : start], text[start]), (text[end - 1], text[end : end + 1]))
    return not any(left.isalnum() and right.isalnum() and not runs_of_signs(left + right) for left, right in edges)
