"""The search engine for an index file: sqlite-vec retrieves near rows, and plain tables hold the postings."""

from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from pincite_core.index.quantise import to_bits
from pincite_core.index.sql import ANY_ID, ROWS_AT_ONCE, id_list
from pincite_core.search.engine import Ids, Near, Numbers
from pincite_core.search.table_engine import TableEngine, narrowed

__all__ = ("SqliteEngine",)

_MOST_ASKED = 4096  # sqlite-vec's limit of k
_SPARE = 56  # extra rows per query; they mostly include all rows that tie with the k-th row
_NEAR = "SELECT distance, {row}_id FROM {row}_bits WHERE bits MATCH vec_bit(?) AND k = ? AND scope_id = ?"
_VECTORS_OF_CHUNKS = f"SELECT chunk_id, vector_id FROM chunks WHERE chunk_id {ANY_ID}"
_CHUNKS = (
    "SELECT scope_id, length, chunk_id FROM chunks INDEXED BY chunks_by_scope "
    f"WHERE (scope_id, length, chunk_id) > (?, ?, ?) ORDER BY 1, 2, 3 LIMIT {ROWS_AT_ONCE}"
)


class SqliteEngine(TableEngine):
    """Search engine for an index file; uses a few more bytes of memory per chunk and unit than its base class."""

    def near_chunks(self, query: npt.NDArray[np.float32], scope_ids: Sequence[int], k: int) -> Near:
        """Return, for each scope, the `k` chunks with the least Hamming distance; ties go to the earlier chunk."""
        found = self._nearest("chunk", query, scope_ids, k, len(self.chunk_scopes))
        return Near(found, found, self._vectors_of_chunks(found))

    def near_units(self, query: npt.NDArray[np.float32], scope_ids: Sequence[int], k: int) -> Near:
        """Return, for each scope, the `k` units with the least Hamming distance; ties go to the earlier one."""
        firsts, vector_ids = self._units
        found = self._nearest("unit", query, scope_ids, k, len(vector_ids))
        return Near(
            found, np.searchsorted(firsts, found, side="right").astype(np.int32), vector_ids[found - 1].astype(np.int32)
        )

    def units_of_chunks(self, chunk_ids: Iterable[int]) -> Near:
        """Return the units of the given chunks; units without a vector are omitted."""
        firsts, vector_ids = self._units
        asked = np.unique(np.fromiter(chunk_ids, dtype=np.int32))
        counts = firsts[asked] - firsts[asked - 1]
        row_ids = np.repeat(firsts[asked] - np.cumsum(counts), counts) + np.arange(counts.sum(), dtype=np.int32)
        found = Near(row_ids, np.repeat(asked, counts), vector_ids[row_ids - 1].astype(np.int32))
        return found.only(found.vector_ids > 0)

    @cached_property
    def _chunk_numbers(self) -> tuple[Numbers, Numbers]:
        read, last = [np.zeros((0, 3), dtype=np.int32)], (-1, -1, -1)
        while rows := self._sql.rows(_CHUNKS, last):
            read.append(np.array(rows, dtype=np.int32))
            last = rows[-1]
        table = np.concatenate(read)
        table = table[np.argsort(table[:, 2])]
        if not np.array_equal(table[:, 2], np.arange(1, len(table) + 1)):
            raise self._corrupt("some of its chunks are missing")
        return narrowed(table[:, 0]), narrowed(table[:, 1])

    @cached_property
    def _units(self) -> tuple[Ids, Numbers]:
        """The first unit id of each chunk, with one entry past the last chunk, and the vector of each unit."""
        chunk_ids, vector_ids = self._numbered("units", "unit_id", "chunk_id", "vector_id")
        if chunk_ids.min(initial=1) < 1 or chunk_ids.max(initial=0) > len(self.chunk_scopes):
            raise self._corrupt("some of its units stand in no chunk")
        if (chunk_ids[1:] < chunk_ids[:-1]).any():
            raise self._corrupt("some of its units are out of order")
        firsts = 1 + np.searchsorted(chunk_ids, np.arange(1, len(self.chunk_scopes) + 2, dtype=np.int32))
        return firsts.astype(np.int32), vector_ids

    def _vectors_of_chunks(self, chunk_ids: Ids) -> Ids:
        unknown = chunk_ids[self._chunk_vectors[chunk_ids] == 0]
        if len(unknown):
            rows = self._sql.rows(_VECTORS_OF_CHUNKS, (id_list(unknown.tolist()),))
            table = np.array(rows, dtype=np.int32).reshape(-1, 2)
            self._chunk_vectors[table[:, 0]] = table[:, 1]
        return self._chunk_vectors[chunk_ids]

    @cached_property
    def _chunk_vectors(self) -> Ids:
        """The vector id of each chunk by row id; 0 until it is read, because reading the rows loads long texts."""
        return np.zeros(len(self.chunk_scopes) + 1, dtype=np.int32)

    def _nearest(self, row: str, query: npt.NDArray[np.float32], scope_ids: Sequence[int], k: int, rows: int) -> Ids:
        """Return the row ids of the nearest rows of each scope, ascending."""
        bits = to_bits(query[np.newaxis, :])[0].tobytes()
        found = [row_id for scope_id in scope_ids for row_id in self._nearest_of(row, bits, scope_id, k)]
        if found and not 1 <= min(found) <= max(found) <= rows:
            raise self._corrupt(f"some of its {row}s that are found are not there")
        return np.array(sorted(found), dtype=np.int32)

    def _nearest_of(self, row: str, bits: bytes, scope_id: int, k: int) -> list[int]:
        """Return the `k` nearest rows of a scope; read more rows to break ties, which sqlite-vec does not order."""
        asked = min(k + _SPARE, _MOST_ASKED)
        while True:
            found = self._sql.rows(_NEAR.format(row=row), (bits, asked, scope_id))
            if len(found) < asked or asked == _MOST_ASKED or found[-1][0] > found[k - 1][0]:
                return [row_id for _, row_id in sorted(found)[:k]]
            asked = min(2 * asked, _MOST_ASKED)
