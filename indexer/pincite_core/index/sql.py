"""Running SQL on an index file: safe to share between threads, each of which gets a connection of its own."""

import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import apsw
import msgspec

from pincite_core.index.database import corrupt, open_database

__all__ = ("SqlFile", "id_list")


class SqlFile:
    """One index file, opened read-only once a thread.

    Attributes:
        file: Where it is.
    """

    def __init__(self, file: Path) -> None:
        self.file = file
        self._local = threading.local()
        self._connection()

    def rows(self, sql: str, values: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        """Return all rows of a query.

        Raises:
            IndexCorruptError: The file is damaged where they stand.
        """
        try:
            return list(self._connection().execute(sql, values))
        except (apsw.CorruptError, apsw.NotADBError) as error:
            raise corrupt(self.file, str(error)) from error

    def row(self, sql: str, values: tuple[Any, ...] = ()) -> tuple[Any, ...]:
        """Return the first row of a query.

        Raises:
            KeyError: There is none.
        """
        rows = self.rows(sql, values)
        if not rows:
            message = f"the index has no such row: {values}"
            raise KeyError(message)
        return rows[0]

    def _connection(self) -> apsw.Connection:
        connection: apsw.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = self._local.connection = open_database(self.file)
        return connection


def id_list(ids: Iterable[int]) -> str:
    """Return row ids as SQL takes them: `... IN (SELECT value FROM json_each(?))`."""
    return msgspec.json.encode([int(row_id) for row_id in ids]).decode()
