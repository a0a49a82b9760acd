"""Rows that were asked for before: they never change, so each is read and decoded once, as long as there is room."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Generic, TypeVar

__all__ = ("RowCache",)

_Row = TypeVar("_Row")


class RowCache(Generic[_Row]):
    """Rows by row id, read when they are first asked for. Safe to share between threads.

    Args:
        most: How many are kept; when there are more, all are forgotten.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._rows: dict[int, _Row] = {}

    def forget(self) -> None:
        """Keep nothing of what was read so far."""
        self._rows = {}

    def of(self, row_ids: Iterable[int], read: Callable[[list[int]], Mapping[int, _Row]]) -> dict[int, _Row]:
        """Return some rows in ascending order of their ids; one that is not there is left out.

        Args:
            row_ids: The rows.
            read: Returns those of some rows that there are.
        """
        wanted, rows = sorted(set(row_ids)), self._rows
        with suppress(KeyError):  # as a rule all are there
            return {row_id: rows[row_id] for row_id in wanted}
        found = read([row_id for row_id in wanted if row_id not in rows])
        if len(rows) + len(found) > self._most:
            self._rows = {}  # what others have begun with stays as it is
        rows.update(found)
        return {row_id: rows[row_id] for row_id in wanted if row_id in rows}
