"""What every search reads of an index, kept in memory: the vectors, and the scope and vector of each row that has one.

A vector is stored once for all rows of the same text, so further versions and locales cost little: 432 bytes a
distinct text with 384 components, and 16 bytes a chunk and a sentence.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pincite_core.index.quantise import Int8Vectors, cosines, to_bits

__all__ = ("Ids", "Nearest", "Rows", "VectorMemory")

_LEAST_RESCORED = 80  # bits fetch eight times the ten best, whose int8 rescoring then reaches recall 1.0 ...
_RESCORED_FACTOR = 2  # ... and twice a longer list, whose tail matters less than the time it takes
_WORD_BYTES = 8

Ids = npt.NDArray[np.int32]
Positions = npt.NDArray[np.int32]


class Nearest(NamedTuple):
    """Row ids and cosines, best first, the earlier row first among equals."""

    row_ids: Ids
    scores: npt.NDArray[np.float32]


class Rows:
    """The chunks or the sentences that have a vector, in document order.

    Attributes:
        row_ids: Their row ids, ascending.
        chunk_ids: The chunk of each; its own row id for a chunk.
        vector_ids: The vector of each.
        scope_ids: The scope of each.
    """

    def __init__(self, rows: Iterable[tuple[int, int, int, int]]) -> None:
        columns = np.array(list(rows), dtype=np.int32).reshape(-1, 4).T
        self.row_ids, self.chunk_ids, self.vector_ids, self.scope_ids = (column.copy() for column in columns)
        order = np.argsort(self.scope_ids, kind="stable")
        scopes, starts = np.unique(self.scope_ids[order], return_index=True)
        self._by_scope = dict(
            zip(scopes.tolist(), np.split(order.astype(np.int32), starts[1:]), strict=bool(len(scopes)))
        )

    def of_each_scope(self, scope_ids: Sequence[int]) -> list[Positions]:
        """Return the positions of each scope's rows, in document order; none of a scope without rows."""
        return [self._by_scope[scope_id] for scope_id in scope_ids if scope_id in self._by_scope]

    def of_chunks(self, chunk_ids: npt.NDArray[np.int64]) -> npt.NDArray[np.intp]:
        """Return the positions of some chunks' rows, in document order."""
        wanted = np.zeros(max(self.chunk_ids.max(initial=0), chunk_ids.max(initial=0)) + 1, dtype=np.bool_)
        wanted[chunk_ids] = True
        return np.flatnonzero(wanted[self.chunk_ids])

    def chunks_of(self, row_ids: Ids) -> Ids:
        """Return the chunks that some rows belong to."""
        found: Ids = self.chunk_ids[np.searchsorted(self.row_ids, row_ids)]
        return found


class VectorMemory:
    """All vectors of an index, int8, shape (n, dimension), and their sign bits."""

    def __init__(self, vectors: Int8Vectors) -> None:
        self._vectors = vectors
        self._words = _words(to_bits(vectors))

    def take(self, vector_ids: npt.ArrayLike) -> Int8Vectors:
        """Return some vectors, int8, shape (len(vector_ids), dimension)."""
        return self._vectors[np.asarray(vector_ids, dtype=np.intp) - 1]

    def nearest(self, query: npt.NDArray[np.float32], rows: Rows, scope_ids: Sequence[int], k: int) -> Nearest:
        """Return the `k` rows of some scopes nearest to a unit vector: found by bits in each, ordered by cosine."""
        distances = self._distances(query)
        count = max(_LEAST_RESCORED, k * _RESCORED_FACTOR)
        positions = _joined(
            each[np.argsort(distances[rows.vector_ids[each] - 1], kind="stable")[:count]]
            for each in rows.of_each_scope(scope_ids)
        )
        # A vector is compared once: the product of a matrix rounds the same row differently in different places.
        vector_ids, places = np.unique(rows.vector_ids[positions], return_inverse=True)
        scores = cosines(query, self.take(vector_ids))[places]
        best = np.lexsort((positions, -scores))[:k]
        return Nearest(rows.row_ids[positions[best]], scores[best])

    def _distances(self, query: npt.NDArray[np.float32]) -> npt.NDArray[np.uint16]:
        """Return in how many sign bits each vector differs from the query."""
        total = np.zeros(self._words.shape[1], dtype=np.uint16)
        for stored, asked in zip(self._words, _words(to_bits(query[np.newaxis, :])), strict=True):
            total += np.bitwise_count(stored ^ asked)
        return total


def _joined(positions: Iterable[Positions]) -> Positions:
    parts = list(positions)
    return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int32)


def _words(bits: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint64]:
    """Return bits in words of 64, one row a word, so that a scan runs over whole rows: shape (words, n)."""
    missing = -bits.shape[1] % _WORD_BYTES
    padded = np.ascontiguousarray(np.pad(bits, ((0, 0), (0, missing))))
    return np.ascontiguousarray(padded.view(np.uint64).T)
