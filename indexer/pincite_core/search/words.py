"""The lexical index: computes BM25, document frequencies and spelling corrections from an engine's postings.

Idf and average chunk length come only from chunks in the searched languages. Pages in other languages do not change
them.
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

_MOST_LANGUAGES = 16  # cached combinations of languages; each takes one byte per chunk


class _Counted(NamedTuple):
    """Statistics of a set of languages: the mask of its chunks by row id (None for all), their number, and BM25."""

    which: npt.NDArray[np.bool_] | None
    chunks: int
    bm25: Bm25


class Words:
    """Lexical index over all chunks of an index except hidden chunks.

    Args:
        engine: The engine that stores the postings.
        scopes: All scopes of the index.
        hidden_chunks: Row ids of chunks to exclude from results and statistics.
    """

    def __init__(self, engine: SearchEngine, scopes: Sequence[Scope], hidden_chunks: Ids) -> None:
        self._engine = engine
        self._locales = {scope.scope_id: scope.locale for scope in scopes}
        self._hidden = hidden_chunks
        self._counted: dict[frozenset[str], _Counted] = {}

    def scores(self, terms: Sequence[str], scope_ids: Sequence[int], weights: TermWeights) -> TermScores:
        """Return the BM25 scores of all chunks of the given scopes that contain at least one of the terms."""
        counted = self._counted_for(scope_ids)
        scored = counted.bm25.scores(self._postings(terms, counted), weights)
        return self._within(scored, scope_ids)

    def counted(self, scope_ids: Sequence[int] | None = None) -> int:
        """Return the number of chunks in the languages of the given scopes, or in the whole index."""
        return self._counted_for(scope_ids).chunks

    def frequencies(self, terms: Iterable[str], scope_ids: Sequence[int] | None = None) -> dict[str, int]:
        """Return document frequencies of terms in the languages of the given scopes, or in the whole index.

        Terms that do not occur are omitted.
        """
        found = self._postings(terms, self._counted_for(scope_ids))
        return {term: chunks for term, held in found.items() if (chunks := len(held.row_ids))}

    def best_share(self, weighted: Mapping[str, float], scope_ids: Sequence[int]) -> float:
        """Return the highest weighted share of the terms in the body text of one chunk: 0 to 1."""
        held = self._postings(weighted, self._counted_for(scope_ids))
        parts = [(held[term], partial(_worth, weight)) for term, weight in weighted.items()]
        here = self._within(summed(parts), scope_ids)
        return float(here.scores.max(initial=0.0)) / (sum(weighted.values()) or 1.0)

    def spelled(self, term: str, scope_ids: Sequence[int]) -> str:
        """Return the spelling correction of a term in the languages of the given scopes, or the term itself."""
        wanted = spelling_range(term)
        if wanted is None:
            return term
        check_budget()
        known = self._engine.spellings(term[0], *wanted)
        if self._counted_for(scope_ids).which is not None:  # read the postings of near terms only; they are few
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
        which = np.append(False, np.isin(self._engine.chunk_scopes, scopes))  # row ids start at 1
        which[self._hidden] = False
        counting = None if which[1:].all() else which[1:]
        bm25 = Bm25(self._engine.chunk_lengths, counting)
        return _Counted(None if counting is None else which, int(np.count_nonzero(which)), bm25)

    def _within(self, found: TermScores, scope_ids: Sequence[int]) -> TermScores:
        """Return the scores of the chunks that belong to the given scopes."""
        return found.only(np.isin(self._engine.chunk_scopes[found.row_ids - 1], tuple(scope_ids)))

    def _postings(self, terms: Iterable[str], counted: _Counted) -> dict[str, Postings]:
        check_budget()
        found = self._engine.postings(terms)
        if counted.which is None:
            return dict(found)
        return {term: held.only(counted.which[held.row_ids]) for term, held in found.items()}


def _worth(weight: float, held: Postings) -> npt.NDArray[np.float64]:
    """Return a term's weight for each chunk in its postings; 0 if the body text does not contain the term."""
    return np.where(held.counts[:, 0] > 0, weight, 0.0)
