"""Matches the terms of a question with a text, without character bigrams that match only by chance.

Thai, Lao, Khmer and Burmese are alphabetic scripts without spaces between words. A word has about four signs, so one
bigram is part of many words. A text of a hundred words contains most bigrams of any question: two thirds even if the
text does not answer the question. Therefore, only a match of at least the length of a word counts as evidence. In
Chinese and Japanese a bigram is a word. In Korean a bigram is nearly a word.
"""

from collections.abc import Sequence, Set
from functools import lru_cache
from itertools import pairwise

from pincite_core.rules import SPELLING
from pincite_core.search.compounds import is_compounding
from pincite_core.search.languages import primary
from pincite_core.search.terms import runs_of_signs, terms

__all__ = ("drop_chance_bigrams", "matched_terms")

_MOST_REMEMBERED = 1024  # cached texts; the sections of a small site recur in many questions


def matched_terms(text: str, query_terms: Set[str], language: str) -> frozenset[str]:
    """Return the question's terms that occur in a text, as a word or as the start or end of a compound.

    Args:
        text: A text of the docs.
        query_terms: The question's terms.
        language: BCP 47 tag.
    """
    text_terms = _terms_in(text, language)
    if not is_compounding(primary(language)):
        return text_terms & query_terms
    return frozenset(
        term for term in query_terms if term in text_terms or any(_begins_or_ends(word, term) for word in text_terms)
    )


@lru_cache(maxsize=_MOST_REMEMBERED)
def _terms_in(text: str, language: str) -> frozenset[str]:
    return frozenset(terms(text, language))


def _begins_or_ends(word: str, term: str) -> bool:
    is_longer = len(term) >= SPELLING.shortest_part and len(word) >= len(term) + SPELLING.shortest_first
    return is_longer and (word.startswith(term) or word.endswith(term))


def drop_chance_bigrams(matched: Set[str], query_terms: Sequence[str], text: str, language: str) -> Set[str]:
    """Return the matched terms without the character bigrams that match by chance.

    Args:
        matched: The terms of the question that occur in the text.
        query_terms: The question's terms, in order.
        text: A text of the docs.
        language: BCP 47 tag.
    """
    if primary(language) not in SPELLING.written_in_letters:
        return matched
    pairs: set[str] = set()
    words: set[str] = set()
    for run in _runs(query_terms):
        ends = range(max(0, len(run) - SPELLING.word_signs) + 1)
        pairs.update(_pairs(run))
        words.update(pair for at in ends for pair in _shared(run[at : at + SPELLING.word_signs], matched, text))
    return {term for term in matched if term in words or term not in pairs}


def _runs(query_terms: Sequence[str]) -> list[list[str]]:
    """Rebuild the runs of signs from a question's bigrams; a bigram extends a run if it overlaps the run's end."""
    runs: list[list[str]] = []
    for term in query_terms:
        signs = next(iter(runs_of_signs(term)), [])
        if len(signs) == 2:
            if runs and runs[-1][-1] == signs[0]:
                runs[-1].append(signs[1])
            else:
                runs.append(signs)
    return runs


def _shared(word: Sequence[str], matched: Set[str], text: str) -> list[str]:
    if len(word) == SPELLING.word_signs:
        return _pairs(word) if "".join(word) in _words(text) else []
    return _pairs(word) if all(pair in matched for pair in _pairs(word)) else []


def _pairs(signs: Sequence[str]) -> list[str]:
    return [one + other for one, other in pairwise(signs)]


@lru_cache(maxsize=_MOST_REMEMBERED)
def _words(text: str) -> frozenset[str]:
    """Return all substrings of a text that have `SPELLING.word_signs` signs."""
    return frozenset(
        "".join(signs[at : at + SPELLING.word_signs])
        for signs in runs_of_signs(text)
        for at in range(len(signs) - SPELLING.word_signs + 1)
    )
