"""A plugin of pytest that has the tests' own indexes answer from PostgreSQL: `pytest -p tests.on_postgresql ...`."""

from contextlib import ExitStack
from pathlib import Path

import pytest
import tests.factories
from tests.postgres_server import PostgresServer, postgres_server

from pincite_core.index.read import Index
from pincite_core.postgres.address import DatabaseAddress
from pincite_core.postgres.catalog import Catalog

_running = ExitStack()
_CONNECTIONS = 1000  # every index stays open until the tests end; a quick machine asks for more than the usual hundred


class _Pushed(Index):
    """An index that was pushed; `file` is what it was pushed from, beside which tests look for its `index.json`."""

    folder: Path

    @property
    def file(self) -> Path:
        return self.folder / "index.db"


class _Pushing:
    """Stands for `Index` where tests build one."""

    def __init__(self, server: PostgresServer) -> None:
        self._server = server

    def open(self, folder: Path) -> Index:
        address, _ = self._server.push(folder)
        catalog = Catalog(DatabaseAddress.parse(address))
        _running.callback(catalog.close)
        index = catalog.open(catalog.indexes(catalog.builds()[0])[0])
        pushed = _Pushed(index._rows, index._engine)
        pushed.folder = folder
        return pushed


def pytest_configure() -> None:
    server = _running.enter_context(postgres_server())
    server.run(f"ALTER SYSTEM SET max_connections = {_CONNECTIONS}", "postgres")
    server.stop()
    server.start()
    tests.factories.Index = _Pushing(server)  # type: ignore[misc, assignment]


def pytest_unconfigure(config: pytest.Config) -> None:
    _running.close()
