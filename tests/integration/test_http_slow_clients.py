"""Clients that send slowly, or nothing, are hung up on: nobody holds connections for nothing."""

import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from tests.integration.serving import ask, build_tiny_index, serve
from tests.patience import PATIENCE

HEAD = b"GET /health HTTP/1.1\r\nHost: localhost\r\n"
REFUSED = b"POST /nothing HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n"
PAUSE = 0.05


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_tiny_index(tmp_path_factory.mktemp("index"))


@pytest.fixture(scope="module")
def client(index: Path) -> Iterator[httpx.Client]:
    with serve(index, "--request-seconds", "1") as running:
        yield running


@contextmanager
def connected(client: httpx.Client) -> Iterator[socket.socket]:
    address = client.base_url.host, client.base_url.port or 80
    with socket.create_connection(address, timeout=PATIENCE) as connection:
        yield connection


def test_who_sends_a_head_byte_by_byte_is_hung_up_on(client: httpx.Client):
    with connected(client) as connection:
        connection.sendall(HEAD + b"X-Padding: ")
        assert trickle(connection) == b""


def test_who_sends_nothing_is_hung_up_on(client: httpx.Client):
    with connected(client) as connection:
        assert connection.recv(1) == b""


def test_who_begins_a_second_request_and_never_ends_it_is_hung_up_on(client: httpx.Client):
    with connected(client) as connection:
        connection.sendall(HEAD + b"\r\n")
        assert reply(connection).startswith(b"HTTP/1.1 200")
        connection.sendall(HEAD)
        assert trickle(connection) == b""


def test_who_goes_on_sending_a_body_that_was_refused_is_hung_up_on(client: httpx.Client):
    with connected(client) as connection:
        connection.sendall(REFUSED)
        assert trickle(connection).startswith(b"HTTP/1.1 404")


def test_a_head_that_hesitates_and_the_next_one_are_answered(client: httpx.Client):
    with connected(client) as connection:
        for _ in range(2):
            for part in (HEAD, b"X-Padding: ", b"x\r\n", b"\r\n"):
                time.sleep(PAUSE)
                connection.sendall(part)
            assert reply(connection).startswith(b"HTTP/1.1 200")


def test_an_answer_may_take_longer_than_its_request(index: Path):
    with serve(index, "--request-seconds", "0.4") as client, client.stream("GET", "/api/stream-check") as stream:
        assert [line for line in stream.iter_lines() if line.startswith("data:")][-1] == "data: 4"


def test_slow_clients_keep_nobody_else_waiting(client: httpx.Client):
    held = [socket.create_connection((client.base_url.host, client.base_url.port or 80)) for _ in range(200)]
    try:
        for connection in held:
            connection.sendall(HEAD)
        assert ask(client, "Which port does the Lantern image listen on?").json()["type"] == "answer"
    finally:
        for connection in held:
            connection.close()


def trickle(connection: socket.socket) -> bytes:
    """Send a byte now and then until the other side hangs up; return what it sent."""
    received, until = b"", time.monotonic() + PATIENCE
    connection.settimeout(PAUSE)
    while time.monotonic() < until:
        try:
            connection.sendall(b"x")
            block = connection.recv(65536)
        except TimeoutError:
            continue
        except OSError:  # a byte crossed with the hanging up
            return received
        if not block:
            return received
        received += block
    return pytest.fail("the sidecar went on listening")


def reply(connection: socket.socket) -> bytes:
    """Receive one reply whose body is `application/json`."""
    received = b""
    while not received.endswith(b"}"):
        block = connection.recv(65536)
        assert block, "the sidecar hung up"
        received += block
    return received
