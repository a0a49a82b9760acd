"""The lexical index: computes BM25, document frequencies and spelling corrections from an engine's postings.

Idf and average chunk length come only from chunks in the searched languages. Pages in other languages do not change
them.

Spelling correction finds the site's terms near a misspelled term. In a test on five sites,
questions got a wrong letter in a word. Then search missed the right page for one more question in 25. The correction
finds three in four of these pages.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from rapidfuzz import process
from rapidfuzz.distance import OSA

from pincite_core.budget import check_budget
from pincite_core.rules import SPELLING
from pincite_core.search.bm25 import Bm25, TermScores, TermWeights, summed
from pincite_core.search.engine import Ids, SearchEngine
from pincite_core.search.postings import Postings
from pincite_core.types import Scope

__all__ = ("LexicalIndex", "nearest_spelling")

_MOST_LANGUAGES = 16  # cached combinations of languages; each takes one byte per chunk


class _Statistics(NamedTuple):
    """Statistics of a set of languages: the mask of its chunks by row id (None for all), their number, and BM25."""

    which: npt.NDArray[np.bool_] | None
    chunks: int
    bm25: Bm25


class LexicalIndex:
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
        self._statistics: dict[frozenset[str], _Statistics] = {}

    def scores(self, terms: Sequence[str], scope_ids: Sequence[int], weights: TermWeights) -> TermScores:
        """Return the BM25 scores of all chunks of the given scopes that contain at least one of the terms."""
        statistics = self._statistics_of(scope_ids)
        scored = statistics.bm25.scores(self._postings(terms, statistics), weights)
        return self._within(scored, scope_ids)

    def corpus_size(self, scope_ids: Sequence[int] | None = None) -> int:
        """Return the number of chunks in the languages of the given scopes, or in the whole index."""
        return self._statistics_of(scope_ids).chunks

    def document_frequencies(self, terms: Iterable[str], scope_ids: Sequence[int] | None = None) -> dict[str, int]:
        """Return document frequencies of terms in the languages of the given scopes, or in the whole index.

        Terms that do not occur are omitted.
        """
        found = self._postings(terms, self._statistics_of(scope_ids))
        return {term: chunks for term, held in found.items() if (chunks := len(held.row_ids))}

    def max_matched_share(self, weighted: Mapping[str, float], scope_ids: Sequence[int]) -> float:
        """Return the highest weighted share of the terms in the body text of one chunk: 0 to 1."""
        held = self._postings(weighted, self._statistics_of(scope_ids))
        parts = [(held[term], partial(_body_weight, weight)) for term, weight in weighted.items()]
        here = self._within(summed(parts), scope_ids)
        return float(here.scores.max(initial=0.0)) / (sum(weighted.values()) or 1.0)

    def correct_spelling(self, term: str, scope_ids: Sequence[int]) -> str:
        """Return the spelling correction of a term in the languages of the given scopes, or the term itself."""
        wanted = _spelling_range(term)
        if wanted is None:
            return term
        check_budget()
        known = self._engine.spellings(term[0], *wanted)
        if self._statistics_of(scope_ids).which is not None:  # read the postings of near terms only; they are few
            known = self.document_frequencies(_similar_terms(term, known), scope_ids)
        return nearest_spelling(term, known)

    def _statistics_of(self, scope_ids: Sequence[int] | None) -> _Statistics:
        chosen = self._locales if scope_ids is None else scope_ids
        key = frozenset(self._locales[scope_id] for scope_id in chosen if scope_id in self._locales)
        if key not in self._statistics:
            if len(self._statistics) >= _MOST_LANGUAGES:
                self._statistics = {}
            self._statistics[key] = self._count(key)
        return self._statistics[key]

    def _count(self, locales: frozenset[str]) -> _Statistics:
        scopes = [scope_id for scope_id, locale in self._locales.items() if locale in locales]
        which = np.append(False, np.isin(self._engine.chunk_scopes, scopes))  # row ids start at 1
        which[self._hidden] = False
        counting = None if which[1:].all() else which[1:]
        bm25 = Bm25(self._engine.chunk_lengths, counting)
        return _Statistics(None if counting is None else which, int(np.count_nonzero(which)), bm25)

    def _within(self, found: TermScores, scope_ids: Sequence[int]) -> TermScores:
        """Return the scores of the chunks that belong to the given scopes."""
        return found.only(np.isin(self._engine.chunk_scopes[found.row_ids - 1], tuple(scope_ids)))

    def _postings(self, terms: Iterable[str], statistics: _Statistics) -> dict[str, Postings]:
        check_budget()
        found = self._engine.postings(terms)
        if statistics.which is None:
            return dict(found)
        return {term: held.only(statistics.which[held.row_ids]) for term, held in found.items()}


def _body_weight(weight: float, held: Postings) -> npt.NDArray[np.float64]:
    """Return a term's weight for each chunk in its postings; 0 if the body text does not contain the term."""
    return np.where(held.counts[:, 0] > 0, weight, 0.0)


def _spelling_range(term: str) -> tuple[int, int] | None:
    """Return the minimum and maximum length of corrections of a term; None if the term is never corrected."""
    if len(term) < SPELLING.shortest or not (term.isascii() and term.isalpha()):
        return None
    return len(term) - _max_distance(term), len(term) + _max_distance(term)


def nearest_spelling(term: str, known: Mapping[str, int]) -> str:
    """Return the known term nearest to a term; the term itself if no known term is near (`_similar_terms`).

    Among equally near terms, the one with the highest document frequency wins.

    Args:
        term: A stem, as returned by `pincite_core.search.terms`.
        known: Known terms with their document frequencies.
    """
    if term in known or _spelling_range(term) is None:
        return term
    near = [(distance, -known[other], other) for other, distance in _similar_terms(term, known).items()]
    return min(near)[2] if near else term


def _similar_terms(term: str, known: Iterable[str]) -> dict[str, int]:
    """Return the known terms near a term, with their distances.

    The distance is optimal string alignment: the number of letters added, removed, changed or swapped with the next.
    Near terms have the same first letter and a distance of at most 1, or 2 for a long term.
    """
    choices = [other for other in known if other[:1] == term[0] and other.isascii() and other.isalpha()]
    found = process.extract(term, choices, scorer=OSA.distance, score_cutoff=_max_distance(term), limit=None)
    return {other: int(distance) for other, distance, _ in found}


def _max_distance(term: str) -> int:
    return 1 if len(term) < SPELLING.long else 2
