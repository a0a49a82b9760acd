"""BM25 over the terms of chunks, as SQLite's FTS5 gives it, but computed on arrays (`postings`)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pincite_core.search.postings import COLUMNS, Postings

__all__ = ("EVEN_WEIGHTS", "K1", "LEAST_RARITY", "B", "Bm25", "TermScores", "TermWeights", "summed")

K1, B = 1.2, 0.75
"""FTS5's constants."""

LEAST_RARITY = 1e-6
"""What FTS5 gives a term that more than half of the chunks have."""

_BLOCK = 1 << 16  # row ids whose sums are in memory at a time: half a megabyte, however large the index is
_SCORED = np.dtype([("row_id", np.int64), ("score", np.float64)])


class TermWeights(NamedTuple):
    """BM25 weight of each full-text column."""

    body: float = 1.0
    headings: float = 1.0
    page: float = 1.0
    links: float = 1.0
    code: float = 1.0


EVEN_WEIGHTS = TermWeights()
assert EVEN_WEIGHTS._fields == COLUMNS


class TermScores(NamedTuple):
    """Chunks, by row id, and their BM25 scores (higher is better)."""

    row_ids: npt.NDArray[np.int64]
    scores: npt.NDArray[np.float64]

    @classmethod
    def of(cls, rows: Iterable[tuple[int, float]]) -> "TermScores":
        """Return the scores of (row id, score) pairs in ascending order of row ids."""
        scored = np.fromiter(rows, dtype=_SCORED)
        return cls(scored["row_id"], scored["score"])

    def only(self, wanted: npt.NDArray[np.bool_]) -> "TermScores":
        """Return those that are wanted."""
        return TermScores(self.row_ids[wanted], self.scores[wanted])

    def best(self, k: int) -> "TermScores":
        """Return the `k` best, best first, the earlier chunk first among equals."""
        order = np.argsort(-self.scores, kind="stable")[:k]
        return TermScores(self.row_ids[order], self.scores[order])

    def of_chunks(self, chunk_ids: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        """Return the score of each of some chunks, ascending; NaN for one that holds no term."""
        column = np.full(len(chunk_ids), np.nan)
        if not len(self.row_ids):
            return column
        places = np.minimum(np.searchsorted(self.row_ids, chunk_ids), len(self.row_ids) - 1)
        here = self.row_ids[places] == chunk_ids
        column[here] = self.scores[places[here]]
        return column


class Bm25:
    """Scores the chunks of one index, whose row ids are counted from 1.

    Args:
        lengths: The number of terms of each chunk, in the order of row ids; not copied.
        counting: Which of them count, of the same shape; None: all. Postings of others must not be scored.
    """

    def __init__(self, lengths: npt.NDArray[np.integer[Any]], counting: npt.NDArray[np.bool_] | None = None) -> None:
        counted = lengths if counting is None else lengths[counting]
        self._lengths = lengths
        self._chunks = len(counted)
        self._average = float(counted.mean(dtype=np.float64)) if counted.any() else 1.0

    def scores(self, terms: Mapping[str, Postings], weights: TermWeights) -> TermScores:
        """Return all chunks that hold any of some terms in a weighted column.

        A term that most chunks have there weighs a millionth in FTS5; it is left out beside any that says more, be it
        that no chunk has that one.
        """
        rarities = {term: self._rarity(_holding(held, weights)) for term, held in terms.items()}
        telling = [term for term, rarity in rarities.items() if rarity > LEAST_RARITY] or list(rarities)
        return summed([(terms[term], partial(self._scored, weights, rarities[term])) for term in telling])

    def _scored(self, weights: TermWeights, rarity: float, held: Postings) -> npt.NDArray[np.float64]:
        """Return what a term adds to the score of each chunk that holds it; 0 where no weighted column does."""
        found = _weighed(held.counts, weights)
        saturation = K1 * (1 - B + B * self._lengths[held.row_ids - 1] / self._average)
        return rarity * found * (K1 + 1) / (found + saturation)

    def _rarity(self, chunks: int) -> float:
        return max(LEAST_RARITY, float(np.log((self._chunks - chunks + 0.5) / (chunks + 0.5))))


def summed(parts: Sequence[tuple[Postings, Callable[[Postings], npt.NDArray[np.float64]]]]) -> TermScores:
    """Return the sums of what the postings of several terms are worth, by chunk, a block of chunks at a time.

    Args:
        parts: The postings of each term, and what returns the worth of some of them, shape (n,), none below 0. A chunk
            whose sum is 0 is left out.
    """
    last = max((int(held.row_ids[-1]) for held, _ in parts if len(held.row_ids)), default=0)
    found, sums = [np.zeros(0, dtype=np.int64)], [np.zeros(0)]
    for start in range(1, last + 1, _BLOCK):
        total = np.zeros(min(_BLOCK, last + 1 - start))
        for held, worth in parts:
            block = held.between(start, start + len(total))
            total[block.row_ids - start] += worth(block)
        places = np.flatnonzero(total)
        found.append(places + start)
        sums.append(total[places])
    return TermScores(np.concatenate(found), np.concatenate(sums))


def _holding(held: Postings, weights: TermWeights) -> int:
    """Return how many chunks hold a term in a weighted column."""
    columns = [number for number, weight in enumerate(weights) if weight]
    return int(np.count_nonzero(held.counts[:, columns].any(axis=1)))


def _weighed(counts: npt.NDArray[np.integer[Any]], weights: TermWeights) -> npt.NDArray[np.float64]:
    """Return weighted sums of the columns, shape (chunks,); as a rule one column counts, which is quick to take."""
    columns = [number for number, weight in enumerate(weights) if weight]
    if len(columns) == 1:
        return counts[:, columns[0]].astype(np.float64) * weights[columns[0]]
    return np.asarray(counts @ np.array(weights), dtype=np.float64)
