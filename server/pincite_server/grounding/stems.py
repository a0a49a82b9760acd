"""What a sentence asserts, as comparable stems: without words of grammar and conversation, numbers as digits."""

import re
from collections.abc import Mapping, Set
from functools import cache
from itertools import takewhile

from pincite_core.phrasing import phrasing
from pincite_core.search.languages import primary, small_words
from pincite_core.search.terms import STOP_WORDS, terms

__all__ = ("all_stems", "asserted_stems", "respelled")

_MONTHS = "january february march april june july august september october november december".split()
_CONTRACTED = frozenset({"s", "t", "m", "d", "ll", "re", "ve"})  # what is left of "that's", "don't", "I'm", ...
_HIRAGANA = re.compile("[\u3040-\u309f]")  # particles and endings: what Japanese asserts is in its other characters
_SHORTEST_VARIANT = 5  # letters: below that a common beginning is chance (port, part, post)
_VARIANT_TAIL = 2  # letters in which the rest of two spellings may differ (behavior, behaviour; initial, initialise)


def all_stems(text: str, language: str = "en") -> list[str]:
    """Return the search terms of a text with numbers as digits and months as their first three letters."""
    same = _same(language)
    return [same.get(term, term) for term in terms(text, language)]


def asserted_stems(text: str, language: str = "en") -> list[str]:
    """Return the stems of a text that assert something, in order, with repeats."""
    same, filler = _same(language), _filler(language)
    found = (term for term in terms(text, language) if term not in filler)
    return [same.get(term, term) for term in found if not _HIRAGANA.search(term)]


@cache
def _filler(language: str) -> frozenset[str]:
    """Return the terms of grammar, conversation and connection, which assert nothing that could be wrong."""
    spoken = phrasing(language).claims.filler.split()
    small = STOP_WORDS if primary(language) == "en" else small_words(primary(language))
    return frozenset(term for word in (*small, *spoken) for term in terms(word, language)) | _CONTRACTED


@cache
def _same(language: str) -> Mapping[str, str]:
    """Return what terms are told as: numbers as their digits, the months of English by three letters."""
    numbers = phrasing(language).numbers
    written = [(word, str(value)) for word, value in {**numbers.spelled, **numbers.ordinals}.items()]
    if primary(language) == "en":
        written += [(month, month[:3]) for month in _MONTHS]
    return {term: told for word, told in written for term in terms(word, language)[:1]}


def respelled(stem: str, held: Set[str]) -> str:
    """Return a stem as those held spell or derive it (same beginning, ends close by); itself when none does."""
    if stem in held or len(stem) < _SHORTEST_VARIANT or not stem.isalpha():
        return stem
    start = stem[:_SHORTEST_VARIANT]
    return min((other for other in held if other.startswith(start) and _is_variant(stem, other)), default=stem)


def _is_variant(one: str, other: str) -> bool:
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
    return max(len(one), len(other)) - shared <= _VARIANT_TAIL
