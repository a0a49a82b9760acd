"""Build the vocabulary with which a browser finds terms without a stemmer: each spelling on the site, with its term."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import takewhile

from pincite_core.search.terms import spellings

__all__ = ("Vocabulary", "vocabulary_of", "vocabulary_text")

Vocabulary = Mapping[str, frozenset[str]]
"""Spellings of each term, without the term itself."""


def vocabulary_of(texts: Iterable[str], terms: Iterable[str], language: str) -> dict[str, frozenset[str]]:
    """Return the spellings of each term in the texts, by term.

    Args:
        texts: The texts that the terms come from.
        terms: The terms that have postings.
        language: BCP 47 tag.
    """
    spelled: defaultdict[str, set[str]] = defaultdict(set)
    for spelling, term in spellings(texts, language):
        spelled[term].add(spelling)
    return {term: frozenset(spelled[term] - {term}) for term in sorted(terms)}


def vocabulary_text(vocabulary: Vocabulary) -> str:
    """Return a vocabulary as text with one line per term: `happi 1:y 1:ier` means `happy` and `happier` for `happi`.

    Each number counts the last characters of the term that the text after it replaces. The count is in UTF-16 units, as
    in JavaScript.
    """
    return "\n".join(
        " ".join([term, *sorted(_ending(term, other) for other in vocabulary[term])]) for term in vocabulary
    )


def _ending(term: str, spelling: str) -> str:
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(term, spelling, strict=False)))
    return f"{_units(term[shared:])}:{spelling[shared:]}"


def _units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2
