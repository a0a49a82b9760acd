"""The link to what sidecars share, with a real server that fails in every way that it can."""

import asyncio
import socket
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress

import pytest
from tests.patience import PATIENCE
from tests.state_server import StateServer

from pincite_server.state.link import StateAwayError, StateLink


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
        assert time.monotonic() < given_up, "it did not happen"
        await asyncio.sleep(0.02)


def run(scenario: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(asyncio.wait_for(scenario(), PATIENCE * 2))


def problem_of(url: str) -> str | None:
    async def look() -> str | None:
        async with linked(url) as link:
            return link.problem

    return asyncio.run(look())


def test_what_is_there_has_no_problem(state: StateServer):
    assert problem_of(state.url) is None
    assert problem_of(state.url.replace("valkey://", "redis://")) is None


def test_when_it_is_killed_nobody_waits_and_when_it_is_back_it_is_asked_again(state: StateServer):
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


def test_what_is_away_at_the_start_is_found_when_it_comes(state: StateServer):
    async def scenario() -> None:
        state.kill()
        async with linked(state.url) as link:
            assert link.problem is not None
            state.start()
            await until(lambda: link.problem is None)

    run(scenario)


def test_what_hangs_is_left_alone_after_a_moment():
    async def scenario() -> None:
        with socket.create_server(("127.0.0.1", 0)) as silent:
            link = StateLink(f"valkey://127.0.0.1:{silent.getsockname()[1]}")
            before = time.monotonic()
            with pytest.raises(StateAwayError, match="does not answer"):
                await link.run(link.client.ping)
            assert time.monotonic() - before < 1
            await link.close()

    run(scenario)


def test_an_event_loop_that_was_held_up_is_not_taken_for_a_server_that_is_away(state: StateServer):
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
    """Run a server that says the same to everything."""

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
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", "no Valkey or Redis"),
        (b"-LOADING server is loading the dataset in memory\r\n", "still reading its data"),
        (b"-MISCONF Errors writing to the AOF file: No space left on device\r\n", "cannot write to its disk"),
        (b"-MOVED 3999 127.0.0.1:6381\r\n", "is a cluster"),
        (b"-WRONGTYPE Operation against a key holding the wrong kind of value\r\n", "something else under a key"),
        (b"-ERR max number of clients reached\r\n", "takes no more connections"),
    ],
)
def test_what_it_says_becomes_one_sentence(state: StateServer, reply: bytes, said: str):
    with answering(reply) as url:
        assert said in str(problem_of(url))


def test_a_wrong_address_is_told():
    pytest.importorskip("valkey", reason="the extra `state` is not installed")
    assert "not known by its name" in str(problem_of("valkey://no-such-host.invalid"))


def test_passwords_are_told_from_each_other_and_never_shown(state: StateServer):
    place = state.url.removeprefix("valkey://")
    assert "has no password" in str(problem_of(f"valkey://:wrong-one@{place}"))
    state.kill()
    state.start("--requirepass", "right-one")
    said = [
        problem_of(state.url),
        problem_of(f"valkey://:wrong-one@{place}"),
        problem_of(f"valkey://:right-one@{place}"),
    ]
    assert "wants a password" in str(said[0])
    assert "refuses" in str(said[1])
    assert said[2] is None
    assert "wrong-one" not in str(said)


def test_a_user_who_may_not_enough_is_told(state: StateServer):
    state.run("ACL", "SETUSER", "docs", "on", ">right-one", "~pincite:*", "+get", "+set")
    place = state.url.removeprefix("valkey://")
    assert "does not let the user" in str(problem_of(f"valkey://docs:right-one@{place}"))
    state.run("ACL", "SETUSER", "docs", "+@all")
    assert problem_of(f"valkey://docs:right-one@{place}") is None


def test_a_full_one_is_told_and_used_again_when_it_has_room(state: StateServer):
    async def scenario() -> None:
        async with linked(state.url) as link:
            state.run("CONFIG", "SET", "maxmemory", "1")
            with pytest.raises(StateAwayError, match="is full"):
                await link.run(lambda: link.client.set("pincite:a", b"1"))
            state.run("CONFIG", "SET", "maxmemory", "0")
            await until(lambda: link.problem is None)

    run(scenario)


def test_a_replica_and_a_missing_database_are_told(state: StateServer):
    assert "no database of the number" in str(problem_of(state.url.replace("/0", "/99")))
    state.run("REPLICAOF", "127.0.0.1", "1")
    assert "can only be read" in str(problem_of(state.url))
