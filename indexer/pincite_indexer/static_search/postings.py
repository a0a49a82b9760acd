"""Where each term stands, in as few characters as a static host can be trusted to compress: numbers in JSON."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

__all__ = ("MOST_TIMES", "packed_postings")

MOST_TIMES = 8
"""How often a term counts in one place: three bits, and BM25 gains nothing from more."""


def packed_postings(places: Iterable[Sequence[str]]) -> dict[str, list[int]]:
    """Return the places of each term, ascending: the distance from the one before, times 8, plus how often, less one.

    Args:
        places: The terms of each place, with repeats, in order; the first place's distance is its number.
    """
    packed: defaultdict[str, list[int]] = defaultdict(list)
    last: dict[str, int] = {}
    for number, terms in enumerate(places):
        for term, times in Counter(terms).items():
            packed[term].append((number - last.get(term, 0)) * MOST_TIMES + min(times, MOST_TIMES) - 1)
            last[term] = number
    return dict(packed)
