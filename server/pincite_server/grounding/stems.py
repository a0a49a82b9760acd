"""Comparable stems of a sentence: number words become digits, and function words can be removed."""

import re
from collections.abc import Mapping, Set
from functools import cache
from itertools import takewhile

from pincite_core.phrasing import phrasing
from pincite_core.search.languages import primary, small_words
from pincite_core.search.terms import STOP_WORDS, terms

__all__ = ("CJK", "GENERAL_WEIGHT", "all_stems", "asserted_stems", "general_stems", "respelled")

CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
"""Scripts without spaces between words, where `\\w+` matches a whole clause."""
GENERAL_WEIGHT = 0.25
"""The weight of a general word, relative to another word, in the search for the nearest sentences."""

_MONTHS = "january february march april june july august september october november december".split()
_CONTRACTED = frozenset({"s", "t", "m", "d", "ll", "re", "ve"})  # second tokens of "that's", "don't", "I'm", ...
_HIRAGANA = re.compile("[\u3040-\u309f]")  # particles and endings; Japanese content words use other characters
_SHORTEST_VARIANT = 5  # letters; shorter words share a prefix by chance (port, part, post)
_INFLECTIONS = ("", "s", "es", "d", "ed", "ing")  # English suffixes; the stemmer does not recognise verbs
_VARIANT_TAIL = 2  # letters at the end that may differ (behavior, behaviour; initial, initialise)


def all_stems(text: str, language: str = "en") -> list[str]:
    """Return the search terms of a text, with number words as digits and English months as three letters."""
    same = _same(language)
    return [same.get(term, term) for term in terms(text, language)]


def asserted_stems(text: str, language: str = "en") -> list[str]:
    """Return the stems of a text's content words, in order, with repeats."""
    same, filler = _same(language), _filler(language)
    found = (term for term in terms(text, language) if term not in filler)
    return [same.get(term, term) for term in found if not _HIRAGANA.search(term)]


@cache
def _filler(language: str) -> frozenset[str]:
    """Return the terms of function words and filler words, which make no claim."""
    fillers = phrasing(language).claims.filler.split()
    small = STOP_WORDS if primary(language) == "en" else small_words(primary(language))
    return frozenset(term for word in (*small, *fillers) for term in terms(word, language)) | _CONTRACTED


@cache
def _same(language: str) -> Mapping[str, str]:
    """Return a mapping that normalises terms: number words to digits, English months to three letters."""
    numbers = phrasing(language).numbers
    written = [(word, str(value)) for word, value in {**numbers.spelled, **numbers.ordinals}.items()]
    if primary(language) == "en":
        written += [(month, month[:3]) for month in _MONTHS]
    return {term: told for word, told in written for term in terms(word, language)[:1]}


def respelled(stem: str, held: Set[str]) -> str:
    """Return the held spelling variant of a stem (same prefix, similar length), or the stem itself if none is held."""
    if stem in held or len(stem) < _SHORTEST_VARIANT or not stem.isalpha():
        return stem
    start = stem[:_SHORTEST_VARIANT]
    return min((other for other in held if other.startswith(start) and _is_variant(stem, other)), default=stem)


def _is_variant(one: str, other: str) -> bool:
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
    return max(len(one), len(other)) - shared <= _VARIANT_TAIL


@cache
def general_stems(language: str) -> frozenset[str]:
    """Return the stems of general words, which add no claim ("provides", "the option", "whereas").

    If a statement uses a general word wrongly, its other words show that.
    """
    claims = phrasing(language).claims
    forms = [*claims.general.split(), *(word + end for word in claims.general_verbs.split() for end in _INFLECTIONS)]
    return frozenset(term for form in forms for term in terms(form, language))
