"""The address of the shared state, and the link to a real server and its failures."""

import asyncio
import socket
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress

import pytest
from tests.patience import PATIENCE
from tests.state_server import StateServer

from pincite_core.errors import InputError
from pincite_server.settings import secrets_from_environment
from pincite_server.state.link import StateAwayError, StateLink, check_state_address


@asynccontextmanager
async def linked(url: str) -> AsyncIterator[StateLink]:
    link = StateLink(url)
    await link.open()
    try:
        yield link
    finally:
        await link.close()


async def until(happened: Callable[[], bool]) -> None:
    given_up = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < given_up, "timed out"
        await asyncio.sleep(0.02)


def run(scenario: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(asyncio.wait_for(scenario(), PATIENCE * 2))


def problem_of(url: str) -> str | None:
    async def look() -> str | None:
        async with linked(url) as link:
            return link.problem

    return asyncio.run(look())


def test_a_reachable_store_has_no_problem(state: StateServer):
    assert problem_of(state.url) is None
    assert problem_of(state.url.replace("valkey://", "redis://")) is None


def test_calls_fail_at_once_during_an_outage_and_work_again_after_it(state: StateServer):
    async def scenario() -> None:
        async with linked(state.url) as link:
            assert await link.run(lambda: link.client.set("pincite:a", b"1"))
            state.kill()
            with pytest.raises(StateAwayError, match="does not answer"):
                await link.run(lambda: link.client.get("pincite:a"))
            before = time.monotonic()
            for _ in range(1000):
                with pytest.raises(StateAwayError):
                    await link.run(lambda: link.client.get("pincite:a"))
            assert time.monotonic() - before < 1  # a second for a thousand readers: it is not asked
            state.start()
            await until(lambda: link.problem is None)
            assert await link.run(lambda: link.client.set("pincite:a", b"1"))

    run(scenario)


def test_a_store_that_starts_later_is_found(state: StateServer):
    async def scenario() -> None:
        state.kill()
        async with linked(state.url) as link:
            assert link.problem is not None
            state.start()
            await until(lambda: link.problem is None)

    run(scenario)


def test_a_silent_store_times_out():
    async def scenario() -> None:
        with socket.create_server(("127.0.0.1", 0)) as silent:
            link = StateLink(f"valkey://127.0.0.1:{silent.getsockname()[1]}")
            before = time.monotonic()
            with pytest.raises(StateAwayError, match="does not answer"):
                await link.run(link.client.ping)
            assert time.monotonic() - before < 1
            await link.close()

    run(scenario)


def test_a_blocked_event_loop_is_not_mistaken_for_an_outage(state: StateServer):
    async def scenario() -> None:
        async with linked(state.url) as link:
            asking = asyncio.create_task(link.run(link.client.ping))
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            time.sleep(0.3)
            assert await asking
            assert link.problem is None

    run(scenario)


@contextmanager
def answering(reply: bytes) -> Iterator[str]:
    """Run a server that sends the same reply to every command."""

    def serve(listener: socket.socket) -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            with connection, suppress(OSError):  # who was refused may be gone before all is said
                while commands := connection.recv(10_000).count(b"*"):
                    connection.sendall(reply * commands)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=serve, args=(listener,), daemon=True)
        thread.start()
        yield f"valkey://127.0.0.1:{listener.getsockname()[1]}"
        listener.shutdown(socket.SHUT_RDWR)
    thread.join(PATIENCE)


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", "does not name a Valkey or Redis"),
        (b"-LOADING server is loading the dataset in memory\r\n", "is loading its data"),
        (b"-MISCONF Errors writing to the AOF file: No space left on device\r\n", "cannot write to its disk"),
        (b"-MOVED 3999 127.0.0.1:6381\r\n", "is a cluster"),
        (b"-WRONGTYPE Operation against a key holding the wrong kind of value\r\n", "value under a key of Pincite"),
        (b"-ERR max number of clients reached\r\n", "accepts no more connections"),
    ],
)
def test_an_error_of_the_store_becomes_one_sentence(state: StateServer, reply: bytes, said: str):
    with answering(reply) as url:
        assert said in str(problem_of(url))


def test_an_unknown_host_name_is_reported():
    pytest.importorskip("valkey", reason="the extra `state` is not installed")
    assert "cannot be resolved" in str(problem_of("valkey://no-such-host.invalid"))


def test_each_password_problem_has_its_message_without_the_password(state: StateServer):
    place = state.url.removeprefix("valkey://")
    assert "has no password" in str(problem_of(f"valkey://:wrong-one@{place}"))
    state.kill()
    state.start("--requirepass", "right-one")
    said = [
        problem_of(state.url),
        problem_of(f"valkey://:wrong-one@{place}"),
        problem_of(f"valkey://:right-one@{place}"),
    ]
    assert "requires a password" in str(said[0])
    assert "rejects" in str(said[1])
    assert said[2] is None
    assert "wrong-one" not in str(said)


def test_missing_permissions_are_reported(state: StateServer):
    state.run("ACL", "SETUSER", "docs", "on", ">right-one", "~pincite:*", "+get", "+set")
    place = state.url.removeprefix("valkey://")
    assert "enough permissions" in str(problem_of(f"valkey://docs:right-one@{place}"))
    state.run("ACL", "SETUSER", "docs", "+@all")
    assert problem_of(f"valkey://docs:right-one@{place}") is None


def test_a_full_store_is_reported_and_used_again_when_it_has_room(state: StateServer):
    async def scenario() -> None:
        async with linked(state.url) as link:
            state.run("CONFIG", "SET", "maxmemory", "1")
            with pytest.raises(StateAwayError, match="is full"):
                await link.run(lambda: link.client.set("pincite:a", b"1"))
            state.run("CONFIG", "SET", "maxmemory", "0")
            await until(lambda: link.problem is None)

    run(scenario)


def test_a_replica_and_a_missing_database_are_reported(state: StateServer):
    assert "does not have the database number" in str(problem_of(state.url.replace("/0", "/99")))
    state.run("REPLICAOF", "127.0.0.1", "1")
    assert "is read-only" in str(problem_of(state.url))


SECRET = "a secret of this test"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("localhost:6379", "is not an address"),
        ("http://localhost:6379", "is not an address"),
        ("valkey://[half:6379", "is not an address"),
        ("valkey://host:port", "is not an address"),
        ("valkey://", "has no host"),
        ("redis://:hunter2hunter2@/0", "has no host"),
        ("unix://", "has no host"),
        ("valkey://host/docs", "a database number"),
    ],
)
def test_an_invalid_address_is_refused_without_showing_the_password(given: str, said: str):
    with pytest.raises(InputError, match=said) as raised:
        check_state_address(given)
    assert "hunter2" not in str(raised.value)


@pytest.mark.parametrize(
    "given", ["valkey://host", "redis://:hunter2@host:6379/1", "rediss://host/0", "unix:///run/v.sock"]
)
def test_addresses_of_valkey_and_redis_are_accepted(given: str):
    pytest.importorskip("valkey", reason="the extra `state` is not installed")
    check_state_address(given)


def test_an_invalid_parameter_is_reported():
    pytest.importorskip("valkey", reason="the extra `state` is not installed")
    with pytest.raises(InputError, match="an invalid parameter"):
        check_state_address("valkey://host/0?socket_timeout=soon")


def test_without_the_client_the_message_names_the_command_to_install_it(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("pincite_server.state.link.find_spec", lambda name: None)
    with pytest.raises(InputError, match=r"pip install 'pincite\[serve,state\]'"):
        check_state_address("valkey://host")


def test_a_shared_state_needs_a_reader_secret(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("pincite_server.settings.check_state_address", lambda url: None)
    with pytest.raises(InputError, match="PINCITE_READER_SECRET"):
        secrets_from_environment({"PINCITE_STATE": "valkey://host"})
    found = secrets_from_environment({"PINCITE_STATE": "valkey://host", "PINCITE_READER_SECRET": SECRET})
    assert found == {"state": "valkey://host", "reader_secret": SECRET.encode()}
