"""Read from PostgreSQL through a small connection pool with time-outs. Lost connections are replaced automatically."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import psycopg
from psycopg.errors import InsufficientPrivilege, QueryCanceled, UndefinedTable
from psycopg_pool import ConnectionPool, PoolTimeout

from pincite_core.errors import (
    IndexCorruptError,
    IndexFileError,
    IndexFormatError,
    IndexUnavailableError,
    SearchEngineError,
)
from pincite_core.postgres.address import DatabaseAddress

__all__ = ("REVISION", "SCHEMA", "Database", "first_line", "search_path")

SCHEMA = "pincite"
REVISION = "format_4"
"""The newest revision in `migrations/versions`."""

_MOST_CONNECTIONS = 8  # each statement of a question takes less than a millisecond
_CONNECT_SECONDS = 5
_STATEMENT_SECONDS = 10  # 100 times the slowest; `options=-c statement_timeout=...` in the address overrides it
_WAIT_SECONDS = 10.0  # for a free connection; longer than a restart of the server
_ATTEMPTS = 3  # the failed connection, a second one that failed at the same time, a new connection
_SETTINGS = (
    "SET default_transaction_read_only = on",
    "SET jit = off",  # JIT compiles for 100 ms if many rows are expected; the query then takes 1 ms
    "SET hnsw.ef_search = 1000",  # candidate list size of HNSW; searches ask for 80 rows or more
    "SET hnsw.iterative_scan = strict_order",  # continues until the scope has enough rows
)


class Database:
    """Thread-safe, read-only access to a PostgreSQL database.

    Args:
        address: The address of the database.

    Raises:
        IndexUnavailableError: The database cannot be reached or refuses the login.
        IndexFormatError: The database holds builds of another format.
        SearchEngineError: The database has no pgvector.
    """

    def __init__(self, address: DatabaseAddress) -> None:
        self.shown = address.shown
        with self._telling(), psycopg.connect(address.conninfo, connect_timeout=_CONNECT_SECONDS) as connection:
            _check(connection, address.shown)
            path = search_path(connection)
        self._settings = (path, *_SETTINGS, *_unless_given(address.conninfo))
        self._pool = ConnectionPool(
            address.conninfo,
            kwargs={"autocommit": True, "connect_timeout": _CONNECT_SECONDS},
            min_size=0,
            max_size=_MOST_CONNECTIONS,
            configure=self._configure,
            open=True,
            name="pincite",
        )

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Return all rows of a query. If the connection is lost, the query is retried on another connection.

        Raises:
            IndexUnavailableError: The database cannot be reached or is too slow.
            IndexFileError: The query fails, or the role has no permission.
        """
        for attempt in range(_ATTEMPTS):
            with self._telling():
                try:
                    with self._pool.connection(_WAIT_SECONDS) as connection:
                        return connection.execute(sql, values, binary=True).fetchall()
                except psycopg.OperationalError as error:
                    if isinstance(error, QueryCanceled | PoolTimeout) or attempt == _ATTEMPTS - 1:
                        raise
                    self._pool.check()  # replaces the other lost connections
        raise AssertionError

    def close(self) -> None:
        """Close all connections. Later queries fail."""
        self._pool.close()

    def _configure(self, connection: psycopg.Connection[Any]) -> None:
        for setting in self._settings:
            connection.execute(setting)

    @contextmanager
    def _telling(self) -> Iterator[None]:
        """Convert database errors to Pincite's errors with one-line messages."""
        try:
            yield
        except QueryCanceled as error:
            message = f"The database {self.shown} took longer than it may over a question. Please try again."
            raise IndexUnavailableError(message) from error
        except (psycopg.OperationalError, psycopg.InterfaceError) as error:
            message = f"The database {self.shown} cannot be asked now ({first_line(error)}). The next look tries again."
            raise IndexUnavailableError(message) from error
        except InsufficientPrivilege as error:
            message = (
                f"This role may not read {self.shown} ({first_line(error)}). "
                "Let it, as the role that pushes: SELECT pincite.let_read('ROLE', 'SITE')."
            )
            raise IndexFileError(message) from error
        except psycopg.Error as error:
            message = f"What {self.shown} holds cannot be read ({first_line(error)}). Push the index again."
            raise IndexCorruptError(message) from error


def first_line(error: Exception) -> str:
    """Return the first line of an error from PostgreSQL or libpq, which does not contain the statement."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return (lines[0] if lines else type(error).__name__).rstrip(".")


def search_path(connection: psycopg.Connection[Any]) -> str:
    """Return the statement that sets the search path to Pincite's schema and the schema of pgvector.

    Raises:
        SearchEngineError: The database has no pgvector.
    """
    found = connection.execute(
        "SELECT quote_ident(nspname) FROM pg_extension JOIN pg_namespace n ON n.oid = extnamespace "
        "WHERE extname = 'vector'"
    ).fetchone()
    if found is None:
        message = "The database has no pgvector. Run CREATE EXTENSION vector in it as its administrator."
        raise SearchEngineError(message)
    return f"SET search_path = {SCHEMA}, {found[0]}"


def _check(connection: psycopg.Connection[Any], shown: str) -> None:
    try:
        found = connection.execute(f"SELECT version_num FROM {SCHEMA}.alembic_version").fetchone()
    except UndefinedTable:
        connection.rollback()
        found = None
    if found is None or found[0] != REVISION:
        has = f"has the tables of {found[0]}" if found else "has no tables of Pincite's"
        message = f"{shown} {has}; this version reads {REVISION}. Run `pincite push INDEX {shown}` with it."
        raise IndexFormatError(message)


def _unless_given(conninfo: str) -> tuple[str, ...]:
    """Return the statement that sets the time-out, unless the address already sets one."""
    return () if "statement_timeout" in conninfo else (f"SET statement_timeout = '{_STATEMENT_SECONDS}s'",)
