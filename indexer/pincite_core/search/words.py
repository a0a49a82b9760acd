"""What the words of a question find: BM25 and shares of terms, computed on an engine's postings."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from pincite_core.budget import check_budget
from pincite_core.search.bm25 import Bm25, TermScores, TermWeights
from pincite_core.search.engine import Ids, SearchEngine
from pincite_core.search.postings import Postings
from pincite_core.search.spelling import nearest_spelling, spelling_range

__all__ = ("Words",)

_MOST_SCOPES = 64  # combinations of versions and languages; a byte a chunk each


class Words:
    """The words of an index, but for those of hidden chunks: they are neither found nor counted.

    Args:
        engine: Holds the postings.
        hidden_chunks: Row ids of chunks that must not be found.
    """

    def __init__(self, engine: SearchEngine, hidden_chunks: Ids) -> None:
        self._engine = engine
        self._hidden = hidden_chunks
        lengths = engine.chunk_lengths.astype(np.int64)
        lengths[hidden_chunks - 1] = 0
        self._within: dict[tuple[int, ...], npt.NDArray[np.bool_]] = {}
        self._bm25 = Bm25(lengths, len(lengths) - len(hidden_chunks))

    def scores(self, terms: Sequence[str], scope_ids: Sequence[int], weights: TermWeights) -> TermScores:
        """Return all chunks of some scopes that hold any of some terms, by BM25."""
        scored = self._bm25.scores(self._postings(terms), weights)
        return scored.only(self._is_within(scope_ids)[scored.row_ids - 1])

    def frequencies(self, terms: Iterable[str]) -> dict[str, int]:
        """Return in how many chunks, of all scopes, each term occurs; a term that never does is left out."""
        return {term: chunks for term, held in self._postings(terms).items() if (chunks := len(held.row_ids))}

    def best_share(self, weighted: Mapping[str, float], scope_ids: Sequence[int]) -> float:
        """Return the most, by weight, that the text of one chunk of some scopes holds of some terms: 0 to 1."""
        held = np.zeros(len(self._engine.chunk_scopes) + 1)
        for term, (row_ids, counts) in self._postings(weighted).items():
            held[row_ids[counts[:, 0] > 0]] += weighted[term]
        here = held[1:][self._is_within(scope_ids)]
        return float(here.max(initial=0.0)) / (sum(weighted.values()) or 1.0)

    def spelled(self, term: str) -> str:
        """Return the word of this index that a misspelled one most likely stands for; itself when none is near."""
        wanted = spelling_range(term)
        if wanted is None:
            return term
        check_budget()
        known = self._engine.spellings(term[0], *wanted)
        return nearest_spelling(term, self.frequencies(known) if len(self._hidden) else known)

    def _is_within(self, scope_ids: Sequence[int]) -> npt.NDArray[np.bool_]:
        """Return which chunks stand in some scopes, shape (chunks,); questions ask for the same few again and again."""
        key = tuple(scope_ids)
        if key not in self._within:
            if len(self._within) >= _MOST_SCOPES:
                self._within = {}
            self._within[key] = np.isin(self._engine.chunk_scopes, key)
        return self._within[key]

    def _postings(self, terms: Iterable[str]) -> dict[str, Postings]:
        check_budget()
        found = self._engine.postings(terms)
        if not len(self._hidden):
            return dict(found)
        return {term: held.without(self._hidden) for term, held in found.items()}
