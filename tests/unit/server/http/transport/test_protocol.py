"""Limits on slow clients and on the number of connections."""

import resource
import select
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any

import pytest
import uvicorn
from tests.patience import PATIENCE

from pincite_server.http.transport import protocol
from pincite_server.http.transport.connections import PIECE_BYTES, InPieces, listen
from pincite_server.http.transport.protocol import ConnectionLimits, bounded_protocol, most_connections

SIZE = 8 * 1024 * 1024
GET = b"GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n"


async def application(scope: Any, receive: Any, send: Any) -> None:
    """Answer at once: `/big` with megabytes, others with one byte; `/held` never ends its answer."""
    body = b"x" * SIZE if scope["path"] == "/big" else b"x"
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % len(body))]})
    if scope["path"] == "/held":
        await receive()
        await receive()
    await send({"type": "http.response.body", "body": body})


class Server(uvicorn.Server):
    address: tuple[str, int]

    def held(self) -> list[Any]:
        return list(self.server_state.connections)

    def wait_until(self, condition: Callable[[], bool]) -> None:
        until = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < until, f"still {len(self.held())} connections"
            time.sleep(0.01)


@contextmanager
def running(**limits: Any) -> Iterator[Server]:
    """Serve with some limits; the others are never reached."""
    limited = bounded_protocol(ConnectionLimits(**{"head_seconds": PATIENCE, "write_seconds": PATIENCE, **limits}))
    server = Server(uvicorn.Config(InPieces(application), http=limited, lifespan="off", log_level="critical"))  # type: ignore[arg-type]
    with listen("127.0.0.1", 0) as listener:
        server.address = listener.getsockname()
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            server.wait_until(lambda: server.started)
            yield server
        finally:
            server.should_exit = server.force_exit = True
            thread.join(PATIENCE)


def connect(server: Server, source: str = "127.0.0.1") -> socket.socket:
    """Connect as a client with small buffers, and wait until the server has accepted."""
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16 * 1024)
    connection.bind((source, 0))
    connection.settimeout(PATIENCE)
    connection.connect(server.address)
    own = connection.getsockname()
    seen = server.server_state.connections
    server.wait_until(lambda: any(item.client == own for item in list(seen)) or is_closed(connection))
    return connection


def is_closed(connection: socket.socket) -> bool:
    connection.setblocking(False)
    try:
        return connection.recv(1, socket.MSG_PEEK) == b""
    except BlockingIOError:
        return False
    except ConnectionResetError:
        return True
    finally:
        connection.settimeout(PATIENCE)


def asked(connection: socket.socket, path: bytes) -> socket.socket:
    connection.sendall(GET % path)
    return connection


def read_all(connection: socket.socket, pause: float = 0.0) -> int:
    """Return the number of bytes of the body until it is complete or the server disconnects."""
    received = b""
    while b"\r\n\r\n" not in received:
        received += connection.recv(16 * 1024)
    count = len(received.partition(b"\r\n\r\n")[2])
    while count < SIZE and (block := connection.recv(128 * 1024)):
        count += len(block)
        time.sleep(pause)
    return count


def check_served(*connections: socket.socket) -> None:
    for connection in connections:
        assert asked(connection, b"/small").recv(1024).startswith(b"HTTP/1.1 200")


def test_a_client_that_reads_nothing_is_disconnected():
    with running(write_seconds=0.3) as server, connect(server) as connection:
        asked(connection, b"/big")
        server.wait_until(lambda: not server.held())
        assert read_all(connection) < SIZE


def test_a_slow_reader_gets_the_whole_reply():
    with running(write_seconds=1) as server, connect(server) as connection:
        assert read_all(asked(connection, b"/big"), pause=0.005) == SIZE


def test_an_unread_reply_is_buffered_two_pieces_at_most():
    with running() as server, ExitStack() as stack:
        for _ in range(20):
            asked(stack.enter_context(connect(server)), b"/big")
        server.wait_until(lambda: all(item.flow and item.flow.write_paused for item in server.held()))
        sizes = [item.transport.get_write_buffer_size() for item in server.held()]
    assert len(sizes) == 20
    assert max(sizes) <= PIECE_BYTES


def test_a_client_that_sends_requests_but_reads_no_reply_is_disconnected():
    with running(write_seconds=0.5) as server, connect(server) as connection:
        with suppress(ConnectionError):  # which it hears of while it still asks
            connection.sendall((GET % b"/small") * 400_000)  # more answers than all buffers hold
        server.wait_until(lambda: not server.held())


def test_a_connection_over_an_addresss_limit_closes_the_one_that_waited_longest():
    with running(an_address=2) as server, ExitStack() as stack:
        first, *kept = [stack.enter_context(connect(server)) for _ in range(3)]
        kept.append(stack.enter_context(connect(server, "127.0.0.2")))
        server.wait_until(lambda: is_closed(first))
        check_served(*kept)


def test_connections_opened_too_fast_are_delayed_for_their_address_only():
    with running(an_address=20) as server, ExitStack() as stack:  # two a second, after the first forty
        for _ in range(40):
            begun = stack.enter_context(connect(server))
        waiting = asked(stack.enter_context(connect(server)), b"/small")
        other = stack.enter_context(connect(server, "127.0.0.2"))
        check_served(begun, other)
        assert waiting in select.select([waiting], [], [], PATIENCE)[0]
        assert waiting.recv(1024).startswith(b"HTTP/1.1 200")


def test_a_connection_that_would_wait_too_long_is_closed_after_the_longest_delay(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(protocol, "_MOST_WAIT_SECONDS", 0.5)
    with running(an_address=2) as server, ExitStack() as stack:  # one in five seconds
        for _ in range(4):
            begun = stack.enter_context(connect(server))
        late = asked(stack.enter_context(connect(server)), b"/small")
        server.wait_until(lambda: is_closed(late))
        check_served(begun)


def test_when_too_many_connections_are_delayed_the_next_is_closed_at_once(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(protocol, "_MOST_DELAYED", 2)
    with running(an_address=2) as server, ExitStack() as stack:
        for _ in range(4):
            begun = stack.enter_context(connect(server))
        held = [stack.enter_context(connect(server)) for _ in range(2)]
        latest = stack.enter_context(connect(server))
        server.wait_until(lambda: is_closed(latest))
        assert not any(map(is_closed, held))
        check_served(begun)


def test_a_trusted_proxy_has_no_limit_of_its_own():
    with running(an_address=1, is_proxy=lambda host: host == "127.0.0.1") as server, ExitStack() as stack:
        check_served(*[stack.enter_context(connect(server)) for _ in range(3)])


def test_a_connection_over_the_total_limit_closes_one_of_the_address_with_most():
    with running(in_all=3) as server, ExitStack() as stack:
        sources = ("127.0.0.3", "127.0.0.1", "127.0.0.1", "127.0.0.4")
        oldest, first, second, latest = [stack.enter_context(connect(server, source)) for source in sources]
        server.wait_until(lambda: is_closed(first))
        check_served(oldest, second, latest)


def test_a_stalled_reader_is_closed_before_a_new_connection():
    with running(in_all=2) as server, connect(server, "127.0.0.2") as stalled:
        asked(stalled, b"/big")
        server.wait_until(lambda: all(item.flow.write_paused for item in server.held()))
        with connect(server, "127.0.0.3") as second, connect(server, "127.0.0.4") as third:
            check_served(second, third)
            assert read_all(stalled) < SIZE


def test_a_connection_with_an_answer_in_progress_is_never_closed_for_another():
    with running(an_address=1) as server, connect(server) as busy:
        assert asked(busy, b"/held").recv(1024).startswith(b"HTTP/1.1 200")
        with connect(server) as latest:
            server.wait_until(lambda: is_closed(latest))
        assert [item.client for item in server.held()] == [busy.getsockname()]


@pytest.mark.parametrize(
    ("limits", "most", "asked_for"),
    [((1024, 4096), 500, 1256), ((1024, 1024), 384, 1024), ((20_000, 20_000), 500, None), ((256, 256), 1, 256)],
)
def test_the_number_of_connections_fits_the_limit_of_open_files(
    monkeypatch: pytest.MonkeyPatch, limits: tuple[int, int], most: int, asked_for: int | None
):
    wished: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: limits)
    monkeypatch.setattr(resource, "setrlimit", lambda _, pair: wished.append(pair))
    assert most_connections(500) == most
    assert [soft for soft, _ in wished] in ([], [asked_for])
    assert all(hard == limits[1] for _, hard in wished)
