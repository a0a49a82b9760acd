"""What a page shows from its first letter to its last, told by the texts of its chunks and by what stands in none.

A reader's selection has what the index leaves out: labels, the names of code blocks, headings of tables above their
rows, links to edit the page. With the letters of all that in their order, what a page shows can be told from what it
does not. Most of them are those of its chunks, so only which, and the rest, is kept.
"""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping, Sequence

import msgspec

from pincite_core.index.schema import MOST_TEXT, SHOWN_ON

__all__ = ("ShownPart", "letters", "read_shown", "shown_facts", "tell_shown")

ShownPart = str | tuple[int, int]
"""Letters as they are, or where they begin and end among those of the page's chunks."""

_BLANK = re.compile(r"[\W_]+")
_LEAST_RUN = 16  # letters: two numbers in JSON take nearly as many
_LEAST_NEAR, _NEAR = 5, 100  # right after the last run a few letters say enough: cells between the names of columns
_GRAM = 8  # letters by which a run is found; at every eighth place, so that each of the least length holds one
_BLOCK = 512  # letters compared at once
_MOST_SHOWN = 1 << 22  # letters: several times the largest pages; a file may tell of the same chunk again and again


def letters(text: str) -> str:
    """Return a text's letters and digits alone, without case: what is the same however a page is laid out."""
    return _BLANK.sub("", text).casefold()


def tell_shown(shown: str, body: str) -> list[ShownPart]:
    """Tell the letters that a page shows by those of its chunks.

    Args:
        shown: The page's letters, in its order.
        body: Those of its chunks, one after another.
    """
    places = _places(body)
    parts: list[ShownPart] = []
    told = at = end = 0  # what is told, where to look, where the last run ended in the body
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
    """Return what pages show, by URL, as `meta` keeps it; nothing of a page that would take more than a value may."""
    return {f"{SHOWN_ON}{url}": parts for url, parts in told.items() if len(msgspec.json.encode(parts)) <= MOST_TEXT}


def read_shown(stored: object, length: int) -> tuple[ShownPart, ...]:
    """Return what a page shows; nothing when that is not known, or cannot be so.

    Args:
        stored: What `meta` has.
        length: How many letters the page's chunks have.
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
    """Return the first place from where the last run ended on; the first of all when there is none."""
    if not places:
        return None
    number = bisect_left(places, end)
    return places[number if number < len(places) else 0]


def _run_before(one: str, other: str, start: int, place: int, told: int) -> int:
    """Return how many letters before these places are the same; a gram of them would have been found there."""
    left, right = one[max(told, start - _GRAM) : start], other[max(0, place - _GRAM) : place]
    return _same(left[::-1], right[::-1])


def _run(one: str, other: str, start: int, place: int) -> int:
    """Return how many letters of two texts are the same from these places on."""
    run = 0
    while True:
        left, right = (text[at + run : at + run + _BLOCK] for text, at in ((one, start), (other, place)))
        if left != right or not left:
            return run + _same(left, right)
        run += len(left)


def _same(left: str, right: str) -> int:
    """Return how many letters two texts begin with alike."""
    pairs = enumerate(zip(left, right, strict=False))
    return next((number for number, (one, other) in pairs if one != other), min(len(left), len(right)))
