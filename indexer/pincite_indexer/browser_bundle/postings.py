"""Encode postings as short JSON numbers, which static hosts compress well."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

__all__ = ("MOST_TIMES", "packed_postings")

MOST_TIMES = 8
"""Maximum frequency of a term in one place that fits in three bits; a higher one is a number of its own."""


def packed_postings(places: Iterable[Sequence[str]]) -> dict[str, list[int]]:
    """Return the postings of each term, in ascending order of places.

    Each number is the distance from the previous place, times 8, plus the frequency minus 1. A frequency above
    8 is written as 8, and again as the negative number that follows.

    Args:
        places: The terms of each place, with repeats, in order. The first distance is the number of the place.
    """
    packed: defaultdict[str, list[int]] = defaultdict(list)
    last: dict[str, int] = {}
    for number, terms in enumerate(places):
        for term, times in Counter(terms).items():
            packed[term].append((number - last.get(term, 0)) * MOST_TIMES + min(times, MOST_TIMES) - 1)
            if times > MOST_TIMES:
                packed[term].append(-times)
            last[term] = number
    return dict(packed)
