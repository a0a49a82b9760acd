"""How a browser finds the terms of the index without a stemmer: each spelling on the site, with its term."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import takewhile

from pincite_core.search.terms import spellings

__all__ = ("Vocabulary", "vocabulary_of", "vocabulary_text")

Vocabulary = Mapping[str, frozenset[str]]
"""The spellings of each term that are not the term itself."""


def vocabulary_of(texts: Iterable[str], terms: Iterable[str], language: str) -> dict[str, frozenset[str]]:
    """Return each of some terms with the spellings it has in some texts, by term.

    Args:
        texts: What the terms were cut from.
        terms: The terms that have postings.
        language: BCP 47 tag.
    """
    spelled: defaultdict[str, set[str]] = defaultdict(set)
    for spelling, term in spellings(texts, language):
        spelled[term].add(spelling)
    return {term: frozenset(spelled[term] - {term}) for term in sorted(terms)}


def vocabulary_text(vocabulary: Vocabulary) -> str:
    """Return a vocabulary as it is shipped, a line a term: `happi 1:y 1:ier` is `happy`, `happier` for `happi`.

    A number is how many of the term's characters (UTF-16 units, as JavaScript counts) fall away before what is added.
    """
    return "\n".join(
        " ".join([term, *sorted(_ending(term, other) for other in vocabulary[term])]) for term in vocabulary
    )


def _ending(term: str, spelling: str) -> str:
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(term, spelling, strict=False)))
    return f"{_units(term[shared:])}:{spelling[shared:]}"


def _units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2
