"""Search an index in PostgreSQL: an exact scan of the sign bits in small scopes, a pgvector HNSW index in large scopes.

The engine does not manage connections. It runs its statements through `pincite_core.index.sql.Sql`.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from pincite_core.index.sql import ANY_ID, id_list
from pincite_core.search.engine import Near
from pincite_core.search.table_engine import TableEngine

__all__ = ("LEAST_GRAPH", "PostgresEngine", "bit_string")

LEAST_GRAPH = 50_000
"""Minimum number of rows in a scope for an HNSW index. Smaller scopes are scanned completely, as in an index file."""

_DISTANCE = "bits::bit({n}) <~> ?::bit({n})"
_EXACT = (
    "WITH near AS MATERIALIZED (SELECT {columns}, " + _DISTANCE + " AS distance FROM {row}_bits WHERE scope_id = ?) "
    "SELECT {columns} FROM near ORDER BY distance, {row}_id LIMIT ?"
)
_GRAPH = "SELECT {columns} FROM {row}_bits WHERE ?::int = scope_id ORDER BY " + _DISTANCE + " LIMIT ?"
_OF_CHUNKS = f"SELECT unit_id, chunk_id, vector_id FROM unit_bits WHERE chunk_id {ANY_ID} ORDER BY 1"


class PostgresEngine(TableEngine):
    """Search engine for an index in PostgreSQL."""

    def near_chunks(self, query: npt.NDArray[np.float32], scope_ids: Sequence[int], k: int) -> Near:
        """Return the `k` chunks of each scope with the lowest Hamming distance, sorted by row id.

        If distances are equal, the exact scan chooses the lower row ids.
        """
        found = self._nearest("chunk", "chunk_id, vector_id", query, scope_ids, k)
        return Near(found[:, 0], found[:, 0], found[:, 1])

    def near_units(self, query: npt.NDArray[np.float32], scope_ids: Sequence[int], k: int) -> Near:
        """Return the `k` units of each scope with the lowest Hamming distance, sorted by row id.

        If distances are equal, the exact scan chooses the lower row ids.
        """
        return Near(*self._nearest("unit", "unit_id, chunk_id, vector_id", query, scope_ids, k).T)

    def units_of_chunks(self, chunk_ids: Iterable[int]) -> Near:
        """Return the embedded units of the given chunks."""
        return Near(*_table(self._sql.rows(_OF_CHUNKS, (id_list(chunk_ids),)), 3).T)

    def _nearest(
        self, row: str, columns: str, query: npt.NDArray[np.float32], scope_ids: Sequence[int], k: int
    ) -> npt.NDArray[np.int32]:
        """Return the given columns of the nearest rows of each scope, sorted by row id."""
        bits, found = bit_string(query), []
        for scope_id in scope_ids:
            is_large = self._sizes[row].get(scope_id, 0) >= LEAST_GRAPH
            sql = (_GRAPH if is_large else _EXACT).format(row=row, columns=columns, n=self._dimension)
            found += self._sql.rows(sql, (scope_id, bits, k) if is_large else (bits, scope_id, k))
        table = _table(found, columns.count(",") + 1)
        chunks = table[:, -2]  # the second-last column is `chunk_id` for chunks and units
        if chunks.min(initial=1) < 1 or chunks.max(initial=0) > len(self.chunk_scopes):
            raise self._corrupt(f"some of its {row}s that are found are not there")
        return table[np.argsort(table[:, 0], kind="stable")]

    @cached_property
    def _sizes(self) -> Mapping[str, Mapping[int, int]]:
        """The number of rows of each scope, by kind of row."""
        sql = "SELECT scope_id, count(*) FROM {}_bits GROUP BY 1"
        return {row: dict(self._sql.rows(sql.format(row))) for row in ("chunk", "unit")}


def bit_string(vector: npt.NDArray[np.float32] | npt.NDArray[np.int8]) -> str:
    """Return the sign bits of a vector as a PostgreSQL bit string. The first component comes first."""
    return ((vector > 0) + np.uint8(ord("0"))).tobytes().decode("ascii")


def _table(rows: Sequence[tuple[int, ...]], columns: int) -> npt.NDArray[np.int32]:
    return np.array(rows, dtype=np.int32).reshape(-1, columns)
