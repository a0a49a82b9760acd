"""Run SQL on an index. `Sql` is the interface, and `SqlFile` implements it for an index file.

Both are thread-safe: two threads never use the same connection at the same time.
"""

import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

import apsw
import msgspec

from pincite_core.errors import IndexCorruptError
from pincite_core.index.database import corrupt, open_database, told

__all__ = ("ANY_ID", "ANY_TEXT", "ROWS_AT_ONCE", "Sql", "SqlFile", "id_list")

ANY_ID = "IN (SELECT CAST(value AS INTEGER) FROM json_each(?))"
"""SQL condition that matches a list of row ids. Its parameter is the result of `id_list`."""
ANY_TEXT = "IN (SELECT value FROM json_each(?))"
"""SQL condition that matches a list of texts. Its parameter is a JSON array."""
ROWS_AT_ONCE = 20_000
"""Batch size for reading a whole table. Rows take much memory as Python objects."""


class Sql(Protocol):
    """Interface to the rows of one index. Statements use SQLite's SQL. Other databases translate them.

    `postgres.sql` has the translation to PostgreSQL.
    """

    @property
    def name(self) -> str:
        """The name of the index in messages."""

    def rows(self, sql: str, values: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        """Return all rows of a query.

        Raises:
            IndexFileError: The rows cannot be read.
        """

    def retire(self) -> None:
        """Release idle resources. Queries still work after this call, so that running requests can finish."""

    def corrupt(self, why: str) -> IndexCorruptError:
        """Return an error that says why the index cannot be used and what to do."""


class SqlFile:
    """One index file, opened read-only. Each thread that reads at the same time has its own connection.

    Attributes:
        file: The path of the index file.
        name: The path as text, for messages.
    """

    def __init__(self, file: Path) -> None:
        self.file = file
        self.name = str(file)
        self._lock = threading.Lock()
        self._idle = [open_database(file)]
        self._is_retired = False

    def rows(self, sql: str, values: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        """Return all rows of a query.

        Raises:
            IndexCorruptError: The file is damaged at these rows.
        """
        with self._connection() as connection:
            return connection.execute(sql, values).fetchall()

    def each(self, sql: str, values: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a query one by one, as they are read.

        Raises:
            IndexCorruptError: The file is damaged at these rows.
        """
        with self._connection() as connection:
            yield from connection.execute(sql, values)

    def row(self, sql: str, values: tuple[Any, ...] = ()) -> tuple[Any, ...]:
        """Return the first row of a query.

        Raises:
            KeyError: The query returns no row.
        """
        rows = self.rows(sql, values)
        if not rows:
            message = f"the index has no such row: {values}"
            raise KeyError(message)
        return rows[0]

    def corrupt(self, why: str) -> IndexCorruptError:
        """Return an error that says why the index cannot be used and what to do."""
        return corrupt(self.file, why)

    def retire(self) -> None:
        """Close idle connections now, and every other connection after its query. Further queries reopen the file."""
        with self._lock:
            self._is_retired = True
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    @contextmanager
    def _connection(self) -> Iterator[apsw.Connection]:
        with self._lock:
            connection = self._idle.pop() if self._idle else None
        try:
            connection = connection or open_database(self.file, checked=True)
            try:
                yield connection
            finally:
                self._put_back(connection)
        except (apsw.Error, UnicodeDecodeError) as error:  # the queries are fixed, so only the file can be wrong
            raise corrupt(self.file, told(error)) from error

    def _put_back(self, connection: apsw.Connection) -> None:
        with self._lock:
            if not self._is_retired:
                self._idle.append(connection)
                return
        connection.close()


def id_list(ids: Iterable[int]) -> str:
    """Return row ids as a JSON array, the parameter of `ANY_ID`."""
    return msgspec.json.encode([int(row_id) for row_id in ids]).decode()
