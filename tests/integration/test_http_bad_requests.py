"""Bad requests, over a real socket: each gets the status and the code that the table says."""

import json
import socket
import time
from collections.abc import Iterator

import httpx
import pytest
from tests.integration.bad_requests import ROWS, Row
from tests.integration.serving import build_tiny_index, serve
from tests.patience import PATIENCE

from pincite_server.http.transport.problems import PROBLEMS

EVENTS = ("answer_start", "answer_delta", "sources", "answer_end")


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    with serve(build_tiny_index(tmp_path_factory.mktemp("index")), "--request-seconds", "1") as running:
        yield running


def test_the_table_has_a_row_for_whatever_a_client_can_get_wrong():
    assert len(ROWS) >= 100
    assert len({(row.head, row.body, row.pause) for row in ROWS}) == len(ROWS)
    unsent = {"unauthorized", "message_id_conflict", "id_lost", "rate_limited", "index_awaited", "internal_error"}
    unsent |= {"too_costly", "overloaded"}
    assert {row.code for row in ROWS} - {
        ""
    } == PROBLEMS.keys() - unsent  # those need a state, and have tests of their own


@pytest.mark.parametrize("row", ROWS, ids=[row.name for row in ROWS])
def test_a_bad_request_gets_its_status_and_code(client: httpx.Client, row: Row):
    status, headers, body = exchange(client, row)
    code, detail = "", ""
    if headers.get("content-type", "") == "application/problem+json":
        problem = json.loads(body)
        code, detail = problem["code"], problem["detail"]
        assert problem["status"] == status
        assert detail.endswith(".")
    assert (status, code) == (row.status, row.code)
    assert row.told in detail
    assert not {"set-cookie", "server"} & headers.keys()
    assert "allow" in headers or status != 405
    assert not [leak for leak in (b"Traceback", b".py", b"site-packages") if leak in body]
    if headers.get("content-type", "").startswith("text/event-stream"):
        check_events(body)
    assert client.get("/health").status_code == 200


def exchange(client: httpx.Client, row: Row) -> tuple[int, dict[str, str], bytes]:
    """Send a row's bytes as they are and return the reply's status, headers and body."""
    with socket.create_connection((client.base_url.host, client.base_url.port or 80), timeout=PATIENCE) as connection:
        half = len(row.body) // 2 if row.pause else len(row.body)
        try:
            connection.sendall(row.head + row.body[:half])
            if row.pause and not readable(connection, row.pause):
                connection.sendall(row.body[half:])
        except OSError:  # the server has answered and hung up before all was sent
            pass
        return parse(receive_all(connection))


def readable(connection: socket.socket, seconds: float) -> bool:
    """Wait for a reply for so long; return whether there is one."""
    connection.settimeout(seconds)
    try:
        return bool(connection.recv(1, socket.MSG_PEEK))
    except TimeoutError:
        return False
    finally:
        connection.settimeout(PATIENCE)


def receive_all(connection: socket.socket) -> bytes:
    received = b""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        try:
            block = connection.recv(65536)
        except ConnectionResetError:
            break
        received += block
        if not block or is_whole(received):
            break
    return received


def is_whole(received: bytes) -> bool:
    head, _, body = received.partition(b"\r\n\r\n")
    lower = head.lower()
    if b"transfer-encoding: chunked" in lower:
        return body.endswith(b"0\r\n\r\n")
    length = lower.partition(b"content-length: ")[2].partition(b"\r\n")[0]
    return bool(length) and len(body) >= int(length)


def parse(received: bytes) -> tuple[int, dict[str, str], bytes]:
    head, _, body = received.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
    if headers.get("transfer-encoding") == "chunked":
        body = b"".join(chunks(body))
    return int(first.split()[1]), headers, body


def chunks(body: bytes) -> Iterator[bytes]:
    while body:
        size, _, rest = body.partition(b"\r\n")
        yield rest[: int(size, 16)]
        body = rest[int(size, 16) + 2 :]


def check_events(body: bytes) -> None:
    """Check that no word of a question became an event: names in order, one JSON object each."""
    names = []
    for block in body.decode().replace("\r\n", "\n").split("\n\n"):
        lines = dict(line.partition(": ")[::2] for line in block.split("\n") if line and not line.startswith(":"))
        if lines:
            assert lines.keys() == {"event", "data"}
            assert isinstance(json.loads(lines["data"]), dict)
            names.append(lines["event"])
    assert list(dict.fromkeys(names)) == list(EVENTS)
    assert names.count("answer_end") == 1
