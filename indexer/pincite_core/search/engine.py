"""The interface of a search engine, which retrieves candidates from an index and does not rank them.

An engine finds the rows whose vectors are probably near, finds the postings of terms, and returns stored data of rows.
The search code computes cosines, BM25, late interaction, fusion, evidence and hidden rows from these results. Every
engine therefore ranks alike. An approximate engine (an HNSW index) may lose recall but does not change the order.

`SqliteEngine` uses sqlite-vec and plain tables. PostgreSQL needs the tables of `schema.sql` with `bytea` for `BLOB`.
There, `bit` columns with an HNSW index by Hamming distance (pgvector) replace the `vec0` tables.
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
"""Integers of the narrowest type that holds the largest value."""


class Near(NamedTuple):
    """Row ids of retrieved rows, of their chunks and of their vectors, each of shape (n,).

    If the rows are chunks, `row_ids` and `chunk_ids` are equal.
    """

    row_ids: Ids
    chunk_ids: Ids
    vector_ids: Ids

    def only(self, wanted: npt.NDArray[np.bool_]) -> "Near":
        """Return the rows selected by a mask, shape (n,)."""
        return Near(*(column[wanted] for column in self))


class SearchEngine(Protocol):
    """Retrieves candidates from one index. Safe to share between threads."""

    @property
    def chunk_scopes(self) -> Numbers:
        """The scope of each chunk, in the order of row ids, which start at 1."""

    @property
    def chunk_lengths(self) -> Numbers:
        """The number of terms of each chunk, in the order of row ids."""

    def retire(self) -> None:
        """Free cached data; searches in progress may still use the engine."""

    def near_chunks(self, query: npt.NDArray[np.float32], scope_ids: Sequence[int], k: int) -> Near:
        """Return, for each scope, the `k` chunks probably nearest to a unit vector of shape (dimension,)."""

    def near_units(self, query: npt.NDArray[np.float32], scope_ids: Sequence[int], k: int) -> Near:
        """Return, for each scope, the `k` units probably nearest to a unit vector of shape (dimension,)."""

    def units_of_chunks(self, chunk_ids: Iterable[int]) -> Near:
        """Return the units of the given chunks; units without a vector are omitted."""

    def vectors(self, vector_ids: npt.ArrayLike) -> Int8Vectors:
        """Return stored vectors in the order of `vector_ids`: int8, shape (len(vector_ids), dimension)."""

    def vectors_by_hash(self, hashes: Iterable[bytes]) -> dict[bytes, int]:
        """Return a mapping from text hash to vector id; texts without a vector are omitted."""

    def tokens(self, vector_ids: Iterable[int]) -> dict[int, bytes]:
        """Return a mapping from vector id to packed tokens; texts without tokens are omitted."""

    def postings(self, terms: Iterable[str]) -> Mapping[str, Postings]:
        """Return the postings of each term or code in all scopes; empty postings if a term does not occur."""

    def spellings(self, initial: str, shortest: int, longest: int) -> dict[str, int]:
        """Return the document frequency of each term with a given first letter and a length within a range."""
