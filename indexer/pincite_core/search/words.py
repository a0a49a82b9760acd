"""What the words of a question find: BM25 and shares of terms, computed on an engine's postings.

How rare a word is, and how long a chunk is beside others, is told by the chunks of the languages searched, so that
pages in another language change nothing.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pincite_core.budget import check_budget
from pincite_core.search.bm25 import Bm25, TermScores, TermWeights, summed
from pincite_core.search.engine import Ids, SearchEngine
from pincite_core.search.postings import Postings
from pincite_core.search.spelling import near_spellings, nearest_spelling, spelling_range
from pincite_core.types import Scope

__all__ = ("Words",)

_MOST_LANGUAGES = 16  # combinations of languages; a byte a chunk each


class _Counted(NamedTuple):
    """What tells how rare words are: which chunks count, by row id (None: all), how many, and their BM25."""

    which: npt.NDArray[np.bool_] | None
    chunks: int
    bm25: Bm25


class Words:
    """The words of an index, but for those of hidden chunks: they are neither found nor counted.

    Args:
        engine: Holds the postings.
        scopes: All scopes of the index.
        hidden_chunks: Row ids of chunks that must not be found.
    """

    def __init__(self, engine: SearchEngine, scopes: Sequence[Scope], hidden_chunks: Ids) -> None:
        self._engine = engine
        self._locales = {scope.scope_id: scope.locale for scope in scopes}
        self._hidden = hidden_chunks
        self._counted: dict[frozenset[str], _Counted] = {}

    def scores(self, terms: Sequence[str], scope_ids: Sequence[int], weights: TermWeights) -> TermScores:
        """Return all chunks of some scopes that hold any of some terms, by BM25."""
        counted = self._counted_for(scope_ids)
        scored = counted.bm25.scores(self._postings(terms, counted), weights)
        return self._within(scored, scope_ids)

    def counted(self, scope_ids: Sequence[int] | None = None) -> int:
        """Return how many chunks the languages of some scopes have, or the whole index."""
        return self._counted_for(scope_ids).chunks

    def frequencies(self, terms: Iterable[str], scope_ids: Sequence[int] | None = None) -> dict[str, int]:
        """Return in how many chunks of the languages of some scopes each term occurs, or of the whole index.

        A term that never does is left out.
        """
        found = self._postings(terms, self._counted_for(scope_ids))
        return {term: chunks for term, held in found.items() if (chunks := len(held.row_ids))}

    def best_share(self, weighted: Mapping[str, float], scope_ids: Sequence[int]) -> float:
        """Return the most, by weight, that the text of one chunk of some scopes holds of some terms: 0 to 1."""
        held = self._postings(weighted, self._counted_for(scope_ids))
        parts = [(held[term], partial(_worth, weight)) for term, weight in weighted.items()]
        here = self._within(summed(parts), scope_ids)
        return float(here.scores.max(initial=0.0)) / (sum(weighted.values()) or 1.0)

    def spelled(self, term: str, scope_ids: Sequence[int]) -> str:
        """Return the word of the languages of some scopes that a misspelled one most likely stands for, or itself."""
        wanted = spelling_range(term)
        if wanted is None:
            return term
        check_budget()
        known = self._engine.spellings(term[0], *wanted)
        if self._counted_for(scope_ids).which is not None:  # few are near, and only of those the chunks are read
            known = self.frequencies(near_spellings(term, known), scope_ids)
        return nearest_spelling(term, known)

    def _counted_for(self, scope_ids: Sequence[int] | None) -> _Counted:
        asked = self._locales if scope_ids is None else scope_ids
        key = frozenset(self._locales[scope_id] for scope_id in asked if scope_id in self._locales)
        if key not in self._counted:
            if len(self._counted) >= _MOST_LANGUAGES:
                self._counted = {}
            self._counted[key] = self._count(key)
        return self._counted[key]

    def _count(self, locales: frozenset[str]) -> _Counted:
        scopes = [scope_id for scope_id, locale in self._locales.items() if locale in locales]
        which = np.append(False, np.isin(self._engine.chunk_scopes, scopes))  # row ids are counted from 1
        which[self._hidden] = False
        counting = None if which[1:].all() else which[1:]
        bm25 = Bm25(self._engine.chunk_lengths, counting)
        return _Counted(None if counting is None else which, int(np.count_nonzero(which)), bm25)

    def _within(self, found: TermScores, scope_ids: Sequence[int]) -> TermScores:
        """Return those of some chunks that stand in some scopes."""
        return found.only(np.isin(self._engine.chunk_scopes[found.row_ids - 1], tuple(scope_ids)))

    def _postings(self, terms: Iterable[str], counted: _Counted) -> dict[str, Postings]:
        check_budget()
        found = self._engine.postings(terms)
        if counted.which is None:
            return dict(found)
        return {term: held.only(counted.which[held.row_ids]) for term, held in found.items()}


def _worth(weight: float, held: Postings) -> npt.NDArray[np.float64]:
    """Return the weight of a term for each chunk whose text holds it, 0 for one that holds it elsewhere alone."""
    return np.where(held.counts[:, 0] > 0, weight, 0.0)
