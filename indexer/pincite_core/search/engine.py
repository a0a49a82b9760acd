"""The interface of a search engine, which retrieves candidates from an index, and the choice of an engine.

An engine finds the rows whose vectors are probably near, finds the postings of terms, and returns stored data of rows.
The search code computes cosines, BM25, late interaction, fusion, evidence and hidden rows from these results. Every
engine therefore ranks alike. An approximate engine (an HNSW index) may lose recall but does not change the order.

`SqliteEngine` uses sqlite-vec and plain tables. PostgreSQL needs the tables of `schema.sql` with `bytea` for `BLOB`.
There, `bit` columns with an HNSW index by Hamming distance (pgvector) replace the `vec0` tables.
"""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from pincite_core.budget import check_budget
from pincite_core.errors import PinciteError, PluginError
from pincite_core.index.quantise import Int8Vectors, cosines
from pincite_core.index.sql import Sql
from pincite_core.plugins import load_plugins
from pincite_core.search.postings import Postings

__all__ = ("ENGINE_VARIABLE", "GROUP", "Ids", "Near", "Nearest", "Numbers", "SearchEngine", "make_engine", "nearest")

ENGINE_VARIABLE = "PINCITE_ENGINE"
GROUP = "pincite.engines"

_LEAST_RESCORED = 80  # for k = 10: int8 rescoring of eight times as many rows reaches recall 1.0
_RESCORED_FACTOR = 2  # for longer lists: their tail matters less than the time

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


def make_engine(default: Callable[[Sql, int], SearchEngine], sql: Sql, dimension: int) -> SearchEngine:
    """Create the search engine of an index: the plugin that `PINCITE_ENGINE` names, or the default.

    Args:
        default: Factory of the storage's default engine.
        sql: The connection to the index.
        dimension: The number of components of a vector.

    Raises:
        PluginError: No installed package registers the engine, or the engine cannot be loaded or created.
    """
    name = os.environ.get(ENGINE_VARIABLE, "").strip()
    if not name:
        return default(sql, dimension)
    for plugin, factory in load_plugins(GROUP, name):
        try:
            engine: SearchEngine = factory(sql, dimension)
        except PinciteError:
            raise
        except Exception as error:
            message = f"{plugin} cannot make an engine: {type(error).__name__}: {error}."
            raise PluginError(message) from error
        return engine
    message = (
        f"{ENGINE_VARIABLE} names {name!r}, which no installed package registers. Install one that does, or unset it."
    )
    raise PluginError(message)


class Nearest(NamedTuple):
    """Row ids and cosines, best first; equal cosines are in order of row ids."""

    row_ids: Ids
    scores: npt.NDArray[np.float32]


def nearest(
    engine: SearchEngine,
    find: Callable[[npt.NDArray[np.float32], Sequence[int], int], Near],
    query: npt.NDArray[np.float32],
    scope_ids: Sequence[int],
    k: int,
    hidden_chunks: Ids,
) -> Nearest:
    """Return the `k` rows nearest to a unit vector within the given scopes, without hidden chunks.

    Args:
        engine: The engine that stores the vectors.
        find: `engine.near_chunks` or `engine.near_units`.
        query: The unit vector, shape (dimension,).
        scope_ids: The scopes to search.
        k: The maximum number of rows.
        hidden_chunks: Row ids of chunks to exclude. The engine retrieves that many more rows.
    """
    check_budget()
    count = max(_LEAST_RESCORED, k * _RESCORED_FACTOR)
    found = find(query, scope_ids, count + len(hidden_chunks))
    found = found.only(~np.isin(found.chunk_ids, hidden_chunks))
    # Compare each vector once: a matrix product may round the same row differently at different positions.
    vector_ids, places = np.unique(found.vector_ids, return_inverse=True)
    scores = cosines(query, engine.vectors(vector_ids))[places]
    best = np.lexsort((found.row_ids, -scores))[:k]
    return Nearest(found.row_ids[best], scores[best])
