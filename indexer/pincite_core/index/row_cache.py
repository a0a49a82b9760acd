"""Cache decoded rows by row id. Rows never change, so entries need no invalidation."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Generic, TypeVar

__all__ = ("RowCache",)

_Row = TypeVar("_Row")


class RowCache(Generic[_Row]):
    """Thread-safe cache of rows by row id. A row is read at its first use.

    Args:
        most: The maximum number of rows. When the cache exceeds this number, all rows are dropped.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._rows: dict[int, _Row] = {}

    def forget(self) -> None:
        """Drop all cached rows."""
        self._rows = {}

    def of(self, row_ids: Iterable[int], read: Callable[[list[int]], Mapping[int, _Row]]) -> dict[int, _Row]:
        """Return the rows with the given ids in ascending order of their ids. A missing row is left out.

        Args:
            row_ids: The row ids.
            read: Takes row ids and returns the rows that exist, by row id.
        """
        wanted, rows = sorted(set(row_ids)), self._rows
        with suppress(KeyError):  # usually all rows are cached
            return {row_id: rows[row_id] for row_id in wanted}
        found = read([row_id for row_id in wanted if row_id not in rows])
        if len(rows) + len(found) > self._most:
            self._rows = {}  # a new dict, so that other threads can still read the old one
        rows.update(found)
        return {row_id: rows[row_id] for row_id in wanted if row_id in rows}
