"""Build the vocabulary with which a browser finds terms without a stemmer: each spelling on the site, with its term."""

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from itertools import takewhile

from pincite_core.rules import LEXICON
from pincite_core.search.languages import asking_words, small_words
from pincite_core.search.terms import STOP_WORDS, spellings

__all__ = ("Endings", "Vocabulary", "endings_of", "telling_nothing", "vocabulary_of", "vocabulary_text")

Vocabulary = Mapping[str, frozenset[str]]
"""Spellings of each term, without the term itself."""

Endings = Mapping[str, list[tuple[int, float]]]
"""For each ending, how many last characters of a term it may replace, fewest first, and its share of all endings."""


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


def endings_of(vocabularies: Iterable[Vocabulary]) -> Endings:
    """Return how words of a language change their endings: `0:ing` is `mocking` for `mock`. Rare endings are left out.

    A browser finds terms by them in a language without a stemmer there.
    """
    counted: Counter[tuple[str, int]] = Counter()
    for vocabulary in vocabularies:
        for term, spelled in vocabulary.items():
            for spelling in spelled:
                form = max((spelling, _without_marks(spelling)), key=lambda form: _shared(term, form))
                shared = _shared(term, form)
                counted[form[shared:], _units(term[shared:])] += 1
    fewest = max(LEXICON.fewest_changes, LEXICON.share * counted.total())
    found: defaultdict[str, list[tuple[int, float]]] = defaultdict(list)
    for (added, cut), times in sorted(counted.items()):
        if times >= fewest:
            found[added].append((cut, times / counted.total()))
    return dict(found)


def telling_nothing(language: str) -> list[str]:
    """Return the stop words of a language, or its question words, longest first, if it has no stop words."""
    found = STOP_WORDS if language == "en" else small_words(language)
    return sorted(found) or sorted(asking_words(language), key=lambda word: (-len(word), word))


def _without_marks(word: str) -> str:
    """Return a word without its marks, which stemmers of some languages leave out."""
    decomposed = "".join(sign for sign in unicodedata.normalize("NFD", word) if unicodedata.category(sign)[0] != "M")
    return unicodedata.normalize("NFC", decomposed.replace("ß", "ss"))


def _ending(term: str, spelling: str) -> str:
    shared = _shared(term, spelling)
    return f"{_units(term[shared:])}:{spelling[shared:]}"


def _shared(one: str, other: str) -> int:
    """Return the number of characters that two words begin with together."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2
