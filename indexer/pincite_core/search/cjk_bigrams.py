"""Which pairs of characters a text shares with a question by more than chance.

Thai, Lao, Khmer and Burmese are written in letters, without blanks between words. A word has some four signs, a pair of
signs is a part of many words, and a text of a hundred words has most of the pairs of any question: two thirds of those
of one that it does not answer. As evidence counts what stands there as long as a word is. A Chinese or Japanese pair
is a word, a Korean one nearly.
"""

from collections.abc import Sequence, Set
from functools import lru_cache
from itertools import pairwise

from pincite_core.search.languages import primary
from pincite_core.search.terms import runs_of_signs

__all__ = ("held_as_words",)

_WRITTEN_IN_LETTERS = frozenset("th lo km my".split())
_WORD_SIGNS = 4
_MOST_REMEMBERED = 1024  # texts: the sections of a smaller site are met again and again


def held_as_words(held: Set[str], asked: Sequence[str], text: str, language: str) -> Set[str]:
    """Return the terms that a text holds without the pairs of signs that it holds by chance.

    Args:
        held: Those of the terms that the text holds.
        asked: A question's terms in order.
        text: A text of the docs.
        language: BCP 47 tag.
    """
    if primary(language) not in _WRITTEN_IN_LETTERS:
        return held
    pairs: set[str] = set()
    words: set[str] = set()
    for run in _runs(asked):
        ends = range(max(0, len(run) - _WORD_SIGNS) + 1)
        pairs.update(_pairs(run))
        words.update(pair for at in ends for pair in _shared(run[at : at + _WORD_SIGNS], held, text))
    return {term for term in held if term in words or term not in pairs}


def _runs(asked: Sequence[str]) -> list[list[str]]:
    """Return the runs of signs that a question's pairs were cut from, as far as each begins where the last one ends."""
    runs: list[list[str]] = []
    for term in asked:
        signs = next(iter(runs_of_signs(term)), [])
        if len(signs) == 2:
            if runs and runs[-1][-1] == signs[0]:
                runs[-1].append(signs[1])
            else:
                runs.append(signs)
    return runs


def _shared(word: Sequence[str], held: Set[str], text: str) -> list[str]:
    if len(word) == _WORD_SIGNS:
        return _pairs(word) if "".join(word) in _words(text) else []
    return _pairs(word) if all(pair in held for pair in _pairs(word)) else []


def _pairs(signs: Sequence[str]) -> list[str]:
    return [one + other for one, other in pairwise(signs)]


@lru_cache(maxsize=_MOST_REMEMBERED)
def _words(text: str) -> frozenset[str]:
    """Return whatever in a text is as long as a word."""
    return frozenset(
        "".join(signs[at : at + _WORD_SIGNS])
        for signs in runs_of_signs(text)
        for at in range(len(signs) - _WORD_SIGNS + 1)
    )
