"""What search asks of whatever holds an index: the seam between finding candidates and judging them.

An engine finds: the rows whose vectors are probably near, and where terms occur; and it hands out what was stored of
the rows found. It ranks nothing. Cosines, BM25, late interaction, fusion, evidence, and what a view of the index hides
are computed on these answers, so that every engine ranks alike, and an engine that finds approximately (an HNSW index)
costs recall among the candidates, never the order of what it found.

`SqliteEngine` asks sqlite-vec and plain tables. PostgreSQL needs the tables of `schema.sql` with `bytea` for `BLOB`,
and `bit` columns with an HNSW index by Hamming distance (pgvector) in place of the `vec0` tables.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from pincite_core.index.quantise import Int8Vectors
from pincite_core.search.postings import Postings

__all__ = ("Ids", "Near", "Numbers", "SearchEngine")

Ids = npt.NDArray[np.int32]
Numbers = npt.NDArray[np.integer[Any]]
"""As narrow as the largest allows."""


class Near(NamedTuple):
    """Rows with their chunks (for a chunk, itself) and their vectors, by row id; all of shape (n,)."""

    row_ids: Ids
    chunk_ids: Ids
    vector_ids: Ids

    def only(self, wanted: npt.NDArray[np.bool_]) -> "Near":
        """Return those that are wanted."""
        return Near(*(column[wanted] for column in self))


class SearchEngine(Protocol):
    """Finds candidates in one index. Safe to share between threads."""

    @property
    def chunk_scopes(self) -> Numbers:
        """The scope of each chunk, in the order of row ids, which are counted from 1."""

    @property
    def chunk_lengths(self) -> Numbers:
        """The number of terms of each chunk, in the order of row ids."""

    def retire(self) -> None:
        """Forget what was read; questions under way may still be asked."""

    def near_chunks(self, query: npt.NDArray[np.float32], scope_ids: Sequence[int], k: int) -> Near:
        """Return of each scope the `k` chunks that are probably nearest to a unit vector, shape (dimension,)."""

    def near_sentences(self, query: npt.NDArray[np.float32], scope_ids: Sequence[int], k: int) -> Near:
        """Return of each scope the `k` sentences that are probably nearest to a unit vector, shape (dimension,)."""

    def sentences_of_chunks(self, chunk_ids: Iterable[int]) -> Near:
        """Return the sentences of some chunks that have a vector."""

    def vectors(self, vector_ids: npt.ArrayLike) -> Int8Vectors:
        """Return stored vectors in the order asked: int8, shape (len(vector_ids), dimension)."""

    def vectors_by_hash(self, hashes: Iterable[bytes]) -> dict[bytes, int]:
        """Return the vector ids of texts by their hashes; a text never embedded is left out."""

    def tokens(self, vector_ids: Iterable[int]) -> dict[int, bytes]:
        """Return the packed tokens of those texts that have some, by vector id."""

    def postings(self, terms: Iterable[str]) -> Mapping[str, Postings]:
        """Return where each of some terms or codes occurs, in all scopes; empty postings for one that never does."""

    def spellings(self, initial: str, shortest: int, longest: int) -> dict[str, int]:
        """Return the terms with a first letter and a length in letters, and in how many chunks each occurs."""
