"""Running SQL on what holds an index: `Sql` is the seam, `SqlFile` the index file behind it.

Safe to share between threads, no two of which use one connection at a time.
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
"""Takes a list of row ids (`id_list`)."""
ANY_TEXT = "IN (SELECT value FROM json_each(?))"
"""Takes a JSON array of texts."""
ROWS_AT_ONCE = 20_000
"""What is read of a whole table at a time: as Python's objects rows take much memory."""


class Sql(Protocol):
    """What holds the rows of one index. Statements are SQLite's; others translate (`postgres.dialect`)."""

    @property
    def name(self) -> str:
        """What the index is called in messages."""

    def rows(self, sql: str, values: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        """Return all rows of a query.

        Raises:
            IndexFileError: They cannot be read.
        """

    def retire(self) -> None:
        """Give back what is kept for reading; questions under way may still be asked."""

    def corrupt(self, why: str) -> IndexCorruptError:
        """Return the error that says why this is no usable index, and what to do."""


class SqlFile:
    """One index file, opened read-only as often as threads read from it at once.

    Attributes:
        file: Where it is.
        name: The same, for messages.
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
            IndexCorruptError: The file is damaged where they stand.
        """
        with self._connection() as connection:
            return connection.execute(sql, values).fetchall()

    def each(self, sql: str, values: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a query as they are read.

        Raises:
            IndexCorruptError: The file is damaged where they stand.
        """
        with self._connection() as connection:
            yield from connection.execute(sql, values)

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

    def corrupt(self, why: str) -> IndexCorruptError:
        """Return the error that says why this is no usable index, and what to do."""
        return corrupt(self.file, why)

    def retire(self) -> None:
        """Close the file, from now on after each query: whoever still reads can, and nobody else keeps it open."""
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
        except (apsw.Error, UnicodeDecodeError) as error:  # the queries are ours: only what is read can be wrong
            raise corrupt(self.file, told(error)) from error

    def _put_back(self, connection: apsw.Connection) -> None:
        with self._lock:
            if not self._is_retired:
                self._idle.append(connection)
                return
        connection.close()


def id_list(ids: Iterable[int]) -> str:
    """Return row ids as `ANY_ID` takes them."""
    return msgspec.json.encode([int(row_id) for row_id in ids]).decode()
