"""BM25 scores of chunks with the formula of SQLite's FTS5, computed on NumPy arrays (`postings`)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pincite_core.search.postings import COLUMNS, Postings

__all__ = ("EVEN_WEIGHTS", "K1", "LEAST_IDF", "B", "Bm25", "TermScores", "TermWeights", "summed")

K1, B = 1.2, 0.75
"""The BM25 constants of FTS5."""

LEAST_IDF = 1e-6
"""The idf that FTS5 gives to a term that occurs in more than half of the chunks."""

_BLOCK = 1 << 16  # row ids summed at a time; the sums take half a megabyte for an index of any size
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
        """Return the rows selected by a mask, shape (n,)."""
        return TermScores(self.row_ids[wanted], self.scores[wanted])

    def best(self, k: int) -> "TermScores":
        """Return the `k` highest scores in descending order; equal scores are in order of row ids."""
        order = np.argsort(-self.scores, kind="stable")[:k]
        return TermScores(self.row_ids[order], self.scores[order])

    def of_chunks(self, chunk_ids: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        """Return the score of each chunk id; NaN for a chunk that contains no term."""
        column = np.full(len(chunk_ids), np.nan)
        if not len(self.row_ids):
            return column
        places = np.minimum(np.searchsorted(self.row_ids, chunk_ids), len(self.row_ids) - 1)
        here = self.row_ids[places] == chunk_ids
        column[here] = self.scores[places[here]]
        return column


class Bm25:
    """BM25 scorer for the chunks of one index, whose row ids start at 1.

    Args:
        lengths: The number of terms of each chunk, in the order of row ids. The array is not copied.
        counting: Mask of the chunks in the statistics, same shape; None for all. Score only postings of these chunks.
    """

    def __init__(self, lengths: npt.NDArray[np.integer[Any]], counting: npt.NDArray[np.bool_] | None = None) -> None:
        counted = lengths if counting is None else lengths[counting]
        self._lengths = lengths
        self._chunks = len(counted)
        self._average = float(counted.mean(dtype=np.float64)) if counted.any() else 1.0

    def scores(self, terms: Mapping[str, Postings], weights: TermWeights) -> TermScores:
        """Return all chunks that contain at least one of the terms in a weighted column.

        FTS5 gives an idf of one millionth to a term that occurs in most chunks. This method ignores such terms if any
        term has a higher idf. A term that occurs in no chunk also counts as a term with a higher idf.
        """
        idfs = {term: self._idf(_document_frequency(postings, weights)) for term, postings in terms.items()}
        rare = [term for term, idf in idfs.items() if idf > LEAST_IDF] or list(idfs)
        return summed([(terms[term], partial(self._scored, weights, idfs[term])) for term in rare])

    def _scored(self, weights: TermWeights, idf: float, postings: Postings) -> npt.NDArray[np.float64]:
        """Return a term's contribution to the score of each chunk in its postings; 0 outside the weighted columns."""
        found = _weighed(postings.counts, weights)
        saturation = K1 * (1 - B + B * self._lengths[postings.row_ids - 1] / self._average)
        return idf * found * (K1 + 1) / (found + saturation)

    def _idf(self, chunks: int) -> float:
        return max(LEAST_IDF, float(np.log((self._chunks - chunks + 0.5) / (chunks + 0.5))))


def summed(parts: Sequence[tuple[Postings, Callable[[Postings], npt.NDArray[np.float64]]]]) -> TermScores:
    """Return the sum of the terms' contributions for each chunk, computed one block of chunks at a time.

    Args:
        parts: For each term, its postings and a function that maps postings to contributions, shape (n,), none below
            0. The result omits chunks whose sum is 0.
    """
    last = max((int(postings.row_ids[-1]) for postings, _ in parts if len(postings.row_ids)), default=0)
    found, sums = [np.zeros(0, dtype=np.int64)], [np.zeros(0)]
    for start in range(1, last + 1, _BLOCK):
        total = np.zeros(min(_BLOCK, last + 1 - start))
        for postings, contribution in parts:
            block = postings.between(start, start + len(total))
            total[block.row_ids - start] += contribution(block)
        places = np.flatnonzero(total)
        found.append(places + start)
        sums.append(total[places])
    return TermScores(np.concatenate(found), np.concatenate(sums))


def _document_frequency(postings: Postings, weights: TermWeights) -> int:
    """Return the number of chunks that contain a term in a weighted column."""
    columns = [number for number, weight in enumerate(weights) if weight]
    return int(np.count_nonzero(postings.counts[:, columns].any(axis=1)))


def _weighed(counts: npt.NDArray[np.integer[Any]], weights: TermWeights) -> npt.NDArray[np.float64]:
    """Return the weighted sum of the columns, shape (chunks,). The common case of one column has a fast path."""
    columns = [number for number, weight in enumerate(weights) if weight]
    if len(columns) == 1:
        return counts[:, columns[0]].astype(np.float64) * weights[columns[0]]
    return np.asarray(counts @ np.array(weights), dtype=np.float64)
