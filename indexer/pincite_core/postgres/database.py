"""Reading from PostgreSQL: a small pool, time-outs, and connections that are made anew without a reader's noticing."""

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
"""The newest of `migrations/versions`."""

_MOST_CONNECTIONS = 8  # a question's statements take well under a millisecond each
_CONNECT_SECONDS = 5
_STATEMENT_SECONDS = 10  # a hundred times what any takes; `options=-c statement_timeout=...` in the address goes first
_WAIT_SECONDS = 10.0  # for a connection: longer than a server takes to start again
_ATTEMPTS = 3  # the connection that fails, another that failed with it, a new one
_SETTINGS = (
    "SET default_transaction_read_only = on",
    "SET jit = off",  # which compiles for 100 ms what then takes one, where it expects many rows
    "SET hnsw.ef_search = 1000",  # candidates that the graph keeps; search asks for 80 and more
    "SET hnsw.iterative_scan = strict_order",  # goes on until enough rows of the scope are found
)


class Database:
    """A database that is read from. Safe to share between threads.

    Args:
        address: Where it is.

    Raises:
        IndexUnavailableError: It cannot be reached, or lets nobody in.
        IndexFormatError: It holds builds of another format.
        SearchEngineError: It has no pgvector.
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
        """Return all rows of a query; one that meets a lost connection is asked again on a new one.

        Raises:
            IndexUnavailableError: The database is away, or too slow.
            IndexFileError: It does not answer such a query, or not this role.
        """
        for attempt in range(_ATTEMPTS):
            with self._telling():
                try:
                    with self._pool.connection(_WAIT_SECONDS) as connection:
                        return connection.execute(sql, values, binary=True).fetchall()
                except psycopg.OperationalError as error:
                    if isinstance(error, QueryCanceled | PoolTimeout) or attempt == _ATTEMPTS - 1:
                        raise
                    self._pool.check()  # the others that were lost with it
        raise AssertionError

    def close(self) -> None:
        """Close all connections; nobody may ask any more."""
        self._pool.close()

    def _configure(self, connection: psycopg.Connection[Any]) -> None:
        for setting in self._settings:
            connection.execute(setting)

    @contextmanager
    def _telling(self) -> Iterator[None]:
        """Tell what the database says in one sentence."""
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
    """Return what PostgreSQL or libpq says, without the statement."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return (lines[0] if lines else type(error).__name__).rstrip(".")


def search_path(connection: psycopg.Connection[Any]) -> str:
    """Return the statement by which tables and the extension's types are found, wherever the extension is.

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
    """Return the time-out for statements, unless the operator has chosen one."""
    return () if "statement_timeout" in conninfo else (f"SET statement_timeout = '{_STATEMENT_SECONDS}s'",)
