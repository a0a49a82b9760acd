"""The base class of engines: reads chunk numbers, vectors, tokens and postings from an index's tables."""

import threading
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

import msgspec
import numpy as np
import numpy.typing as npt

from pincite_core.errors import IndexCorruptError
from pincite_core.index.quantise import Int8Vectors
from pincite_core.index.sql import ANY_ID, ANY_TEXT, ROWS_AT_ONCE, Sql, id_list
from pincite_core.search.engine import Near, Numbers
from pincite_core.search.postings import COLUMNS, Postings

__all__ = ("TableEngine", "narrowed")

_NONE: Numbers = np.zeros(0, dtype=np.uint8)

_MOST_CACHED = 250_000  # chunks in the cached postings, 3.5 MB; a search reads the postings of its terms many times
_MOST_VECTORS = 20_000  # cached vectors, 8 MB with 384 components; the sections of a small site recur in searches
_VECTORS = f"SELECT vector_id, int8 FROM vectors WHERE vector_id {ANY_ID}"
_HASHES = "SELECT text_hash, vector_id FROM vectors WHERE text_hash IN (SELECT unhex(value) FROM json_each(?))"
_TOKENS = f"SELECT vector_id, packed FROM tokens WHERE vector_id {ANY_ID}"
_POSTINGS = f"SELECT term, chunk_ids, {', '.join(COLUMNS)} FROM postings WHERE term {ANY_TEXT}"
_SPELLINGS = "SELECT term, chunks FROM postings WHERE term >= ? AND term < ? AND length(term) BETWEEN ? AND ?"


class _VectorCache:
    """Direct-mapped cache of vectors: each vector id has one slot. Safe to share between threads."""

    def __init__(self, dimension: int, most: int) -> None:
        self._table = np.empty((most, dimension), dtype=np.int8)  # the system allocates memory on the first write
        self._ids = np.arange(1, most + 1)  # ids that belong to other slots, so that every slot starts empty
        self._lock = threading.Lock()

    def of(self, vector_ids: npt.NDArray[np.int64]) -> tuple[Int8Vectors, npt.NDArray[np.bool_]]:
        """Return the vectors in the order of `vector_ids`, and a mask of missing vectors, whose rows are undefined."""
        places = vector_ids % len(self._ids)
        with self._lock:
            return np.take(self._table, places, axis=0), self._ids[places] != vector_ids

    def keep(self, vector_ids: npt.NDArray[np.int64], vectors: Int8Vectors) -> None:
        """Store vectors and overwrite the previous vectors in their slots."""
        places, firsts = np.unique(vector_ids % len(self._ids), return_index=True)
        with self._lock:
            self._table[places], self._ids[places] = vectors[firsts], vector_ids[firsts]


class TableEngine(ABC):
    """Base class of search engines over tables; subclasses implement the nearest-neighbour search.

    An instance keeps two or three bytes per chunk in memory, and bounded caches of postings and vectors.

    Args:
        sql: The connection to the index.
        dimension: The number of components of a vector.
    """

    def __init__(self, sql: Sql, dimension: int) -> None:
        self._sql = sql
        self._dimension = dimension
        self._known: dict[str, Postings] = {}
        self._cached = 0
        self._vectors = _VectorCache(dimension, _MOST_VECTORS)

    def retire(self) -> None:
        """Free the cached postings and vectors; searches in progress may still use the engine."""
        self._known, self._cached, self._vectors = {}, 0, _VectorCache(self._dimension, 2)

    @property
    def chunk_scopes(self) -> Numbers:
        """The scope of each chunk, in the order of row ids."""
        return self._chunk_numbers[0]

    @property
    def chunk_lengths(self) -> Numbers:
        """The number of terms of each chunk, in the order of row ids."""
        return self._chunk_numbers[1]

    @abstractmethod
    def near_chunks(self, query: npt.NDArray[np.float32], scope_ids: Sequence[int], k: int) -> Near:
        """Return, for each scope, the `k` chunks probably nearest to a unit vector of shape (dimension,)."""

    @abstractmethod
    def near_units(self, query: npt.NDArray[np.float32], scope_ids: Sequence[int], k: int) -> Near:
        """Return, for each scope, the `k` units probably nearest to a unit vector of shape (dimension,)."""

    @abstractmethod
    def units_of_chunks(self, chunk_ids: Iterable[int]) -> Near:
        """Return the units of the given chunks; units without a vector are omitted."""

    def vectors(self, vector_ids: npt.ArrayLike) -> Int8Vectors:
        """Return stored vectors, int8, shape (len(vector_ids), dimension)."""
        wanted_ids = np.asarray(vector_ids, dtype=np.int64)
        found, is_missing = self._vectors.of(wanted_ids)
        if is_missing.any():
            missing, places = np.unique(wanted_ids[is_missing], return_inverse=True)
            read = self._read_vectors(missing.tolist())
            found[is_missing] = read[places]
            self._vectors.keep(missing, read)
        return found

    def vectors_by_hash(self, hashes: Iterable[bytes]) -> dict[bytes, int]:
        """Return a mapping from text hash to vector id; texts without a vector are omitted."""
        encoded = msgspec.json.encode([digest.hex() for digest in hashes]).decode()
        return dict(self._sql.rows(_HASHES, (encoded,)))

    def tokens(self, vector_ids: Iterable[int]) -> dict[int, bytes]:
        """Return a mapping from vector id to packed tokens; texts without tokens are omitted."""
        return dict(self._sql.rows(_TOKENS, (id_list(vector_ids),)))

    def postings(self, terms: Iterable[str]) -> Mapping[str, Postings]:
        """Return the postings of each term or code; empty postings if a term does not occur."""
        wanted = dict.fromkeys(terms)
        held = {term: known for term in wanted if (known := self._known.get(term)) is not None}
        missing = [term for term in wanted if term not in held]
        if missing:
            read = self._read_postings(missing)
            held.update(read)
            self._keep(read)
        return {term: held[term] for term in wanted}

    def spellings(self, initial: str, shortest: int, longest: int) -> dict[str, int]:
        """Return the document frequency of each term with a given first letter and a length within a range."""
        return dict(self._sql.rows(_SPELLINGS, (initial, chr(ord(initial) + 1), shortest, longest)))

    @cached_property
    def _chunk_numbers(self) -> tuple[Numbers, Numbers]:
        return self._numbered("chunks", "chunk_id", "scope_id", "length")

    def _numbered(self, table: str, key: str, first: str, second: str) -> tuple[Numbers, Numbers]:
        """Return two integer columns of a whole table, whose row ids start at 1."""
        sql = f"SELECT {key}, {first}, {second} FROM {table} WHERE {key} > ? ORDER BY 1 LIMIT {ROWS_AT_ONCE}"
        read, last = [(_NONE, _NONE)], 0
        while rows := self._sql.rows(sql, (last,)):
            part = np.array(rows, dtype=np.int32)
            if not np.array_equal(part[:, 0], np.arange(last + 1, last + len(part) + 1)):
                raise self._corrupt(f"some of its {table} are missing")
            read.append((narrowed(part[:, 1]), narrowed(part[:, 2])))
            last += len(part)
        firsts, seconds = zip(*read, strict=True)
        return np.concatenate(firsts), np.concatenate(seconds)

    def _read_vectors(self, vector_ids: Sequence[int]) -> Int8Vectors:
        stored: dict[int, bytes] = dict(self._sql.rows(_VECTORS, (id_list(vector_ids),)))
        if len(stored) < len(vector_ids) or any(len(vector) != self._dimension for vector in stored.values()):
            raise self._corrupt("some of its vectors are missing or of another length")
        joined = b"".join(stored[vector_id] for vector_id in vector_ids)
        return np.frombuffer(joined, dtype=np.int8).reshape(-1, self._dimension)

    def _read_postings(self, terms: Sequence[str]) -> dict[str, Postings]:
        read = dict.fromkeys(terms, Postings.none())
        encoded = msgspec.json.encode(terms).decode()
        try:
            for term, chunk_ids, *columns in self._sql.rows(_POSTINGS, (encoded,)):
                read[term] = Postings.unpacked(chunk_ids, columns)
        except ValueError as error:
            raise self._corrupt(f"its words are damaged: {error}") from error
        if any(held.row_ids.max(initial=0) > len(self.chunk_scopes) for held in read.values()):
            raise self._corrupt("some of its words stand in no chunk")
        return read

    def _keep(self, read: dict[str, Postings]) -> None:
        size = sum(len(held.row_ids) + 1 for held in read.values())
        if self._cached + size > _MOST_CACHED:
            self._known, self._cached = {}, 0
        if size <= _MOST_CACHED:
            self._known = {**self._known, **read}
            self._cached += size

    def _corrupt(self, why: str) -> IndexCorruptError:
        return self._sql.corrupt(why)


def narrowed(column: Numbers) -> Numbers:
    """Convert integers to the narrowest type that holds the minimum and the maximum."""
    least, largest = (np.min_scalar_type(int(extreme(initial=0))) for extreme in (column.min, column.max))
    return column.astype(np.promote_types(least, largest))
