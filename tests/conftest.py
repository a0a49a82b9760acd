"""What every test runs in: no hub, two threads, and caches that are the test run's own."""

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from tests.postgres_server import PostgresServer
    from tests.state_server import StateServer

os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["TRANSFORMERS_OFFLINE"] = "1"
os.environ["OMP_NUM_THREADS"] = "2"
os.environ["OMP_WAIT_POLICY"] = "PASSIVE"  # threads that wait leave their core to the tests beside
os.environ["TOKENIZERS_PARALLELISM"] = "false"
for name in [name for name in os.environ if name.startswith("PINCITE_LLM_")]:
    del os.environ[name]  # a model that a developer has configured is no part of a test

# A machine may be busy: no example fails a test for being slow, however long generating it takes.
settings.register_profile("pincite", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("pincite")


@pytest.fixture(autouse=True, scope="session")
def _own_caches(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Neither read nor fill the caches of whoever runs the tests; processes that tests start inherit this."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PINCITE_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session")
def postgres() -> "Iterator[PostgresServer]":
    """One real PostgreSQL for all tests; each has a site or a database of its own on it."""
    from tests.postgres_server import postgres_server

    with postgres_server() as server:
        yield server


@pytest.fixture
def state(monkeypatch: pytest.MonkeyPatch) -> "Iterator[StateServer]":
    """A Valkey or Redis of this test's own, which it may kill; a machine that is busy with other tests has its time."""
    from tests.state_server import state_server

    for seconds in ("_TIMEOUT", "_CHECK_TIMEOUT", "_SECONDS"):
        monkeypatch.setattr(f"pincite_server.state.link.{seconds}", 30.0)
    with state_server() as server:
        yield server
