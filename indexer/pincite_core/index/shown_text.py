"""Encode and decode the full visible text of a page, so that a reader's selection can be verified.

A selection may contain text that no chunk has: labels, code block titles, table headings, links to edit the page. The
full text shows whether a selection really is on the page. Most of this text repeats the chunks. The encoding therefore
stores references to the chunk text, and stores literally only the remaining text.
"""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping, Sequence

import msgspec

from pincite_core.index.schema import MOST_TEXT, SHOWN_ON

__all__ = ("ShownPart", "letters", "read_shown", "shown_facts", "tell_shown")

ShownPart = str | tuple[int, int]
"""Literal letters, or the start and end offset of a run in the concatenated letters of the page's chunks."""

_BLANK = re.compile(r"[\W_]+")
_ASCII_SIGNS = bytes(code for code in range(128) if not chr(code).isalnum())  # removed as bytes, twenty times faster
_DIGITS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉", "01234567890123456789")  # a selection has them as plain digits
_LEAST_RUN = 16  # letters; two numbers take nearly as many characters in JSON
_LEAST_NEAR, _NEAR = 5, 100  # letters; just after the last run a short match is enough (table cells)
_GRAM = 8  # letters; grams start at each multiple of 8, so every run of `_LEAST_RUN` letters contains a whole gram
_BLOCK = 512  # letters compared in one step
_MOST_SHOWN = 1 << 22  # letters; several times the largest page. A hostile file may repeat one chunk many times


def letters(text: str) -> str:
    """Return the case-folded letters and digits of a text. They do not depend on the layout of the page."""
    found = text.encode("utf-8", "surrogatepass").translate(None, _ASCII_SIGNS).decode("utf-8", "surrogatepass")
    if found.isascii():
        return found.lower()
    return _BLANK.sub("", found).casefold().translate(_DIGITS)


def tell_shown(shown: str, body: str) -> list[ShownPart]:
    """Encode the letters of a page as references to the letters of its chunks, and literal text between them.

    Args:
        shown: The letters of the page, in page order.
        body: The concatenated letters of the page's chunks.
    """
    places = _places(body)
    parts: list[ShownPart] = []
    told = at = end = 0  # end of the encoded text, search position, end of the last run in the body
    while at < len(shown):
        near = body.find(shown[at : at + _LEAST_NEAR], end, end + _NEAR)
        start = near if near >= 0 else _nearest(places.get(shown[at : at + _GRAM], ()), end)
        back = 0 if start is None else _run_before(shown, body, at, start, told)
        run = 0 if start is None else back + _run(shown, body, at, start)
        if start is None or run < (_LEAST_NEAR if near >= 0 else _LEAST_RUN):
            at += 1
            continue
        if told < at - back:
            parts.append(shown[told : at - back])
        end = start - back + run
        parts.append((start - back, end))
        told = at = at - back + run
    return [*parts, shown[told:]] if told < len(shown) else parts


def shown_facts(told: Mapping[str, Sequence[ShownPart]]) -> dict[str, object]:
    """Return the `meta` entries for encoded pages. An entry of more than `MOST_TEXT` bytes is left out."""
    return {f"{SHOWN_ON}{url}": parts for url, parts in told.items() if len(msgspec.json.encode(parts)) <= MOST_TEXT}


def read_shown(stored: object, length: int) -> tuple[ShownPart, ...]:
    """Return the encoded text of a page, or an empty tuple if the stored value is missing or invalid.

    Args:
        stored: The value in `meta`.
        length: The number of letters in the page's chunks.
    """
    try:
        parts = msgspec.convert(stored, tuple[ShownPart, ...])
    except msgspec.ValidationError:
        return ()
    room = _MOST_SHOWN - sum(len(part) if isinstance(part, str) else part[1] - part[0] for part in parts)
    held = all(isinstance(part, str) or 0 <= part[0] <= part[1] <= length for part in parts)
    return parts if held and room >= 0 else ()


def _places(body: str) -> Mapping[str, Sequence[int]]:
    places: dict[str, list[int]] = defaultdict(list)
    for start in range(0, len(body) - _GRAM + 1, _GRAM):
        places[body[start : start + _GRAM]].append(start)
    return places


def _nearest(places: Sequence[int], end: int) -> int | None:
    """Return the first position at or after `end`, or the first position of all if no position follows `end`."""
    if not places:
        return None
    number = bisect_left(places, end)
    return places[number if number < len(places) else 0]


def _run_before(one: str, other: str, start: int, place: int, told: int) -> int:
    """Return how many letters before the two positions are equal, at most `_GRAM`.

    A longer match would contain a gram, and the search would have found that gram at an earlier position.
    """
    left, right = one[max(told, start - _GRAM) : start], other[max(0, place - _GRAM) : place]
    return _same(left[::-1], right[::-1])


def _run(one: str, other: str, start: int, place: int) -> int:
    """Return how many letters of two texts are equal from the given positions on."""
    run = 0
    while True:
        left, right = (text[at + run : at + run + _BLOCK] for text, at in ((one, start), (other, place)))
        if left != right or not left:
            return run + _same(left, right)
        run += len(left)


def _same(left: str, right: str) -> int:
    """Return the length of the common prefix of two texts."""
    pairs = enumerate(zip(left, right, strict=False))
    return next((number for number, (one, other) in pairs if one != other), min(len(left), len(right)))
