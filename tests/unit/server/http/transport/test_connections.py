import asyncio
import socket
from typing import Any

import pytest

from pincite_core.errors import InputError
from pincite_server.http.transport.connections import BodyDeadline, RequestObserver, listen, url_of
from pincite_server.http.transport.problems import ClientDisconnected, Problem
from pincite_server.observe.metrics import Metrics


def test_replies_do_not_wait_for_acknowledgements():
    async def nodelay_of_an_accepted_connection() -> int:
        accepted: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        async def on_connect(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            accepted.set_result(writer.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        listener = listen("127.0.0.1", 0)
        async with await asyncio.start_server(on_connect, sock=listener):
            _, writer = await asyncio.open_connection(*listener.getsockname())
            nodelay = await asyncio.wait_for(accepted, 10)
            writer.close()
            await writer.wait_closed()
        return nodelay

    assert asyncio.run(nodelay_of_an_accepted_connection()) != 0


@pytest.mark.parametrize(("host", "shown"), [("127.0.0.1", "127.0.0.1"), ("0.0.0.0", "localhost")])
def test_the_url_can_be_opened_on_this_machine(host: str, shown: str):
    with listen(host, 0) as listener:
        assert url_of(listener) == f"http://{shown}:{listener.getsockname()[1]}"


def test_a_taken_port_is_reported_with_a_fix():
    with listen("127.0.0.1", 0) as taken, pytest.raises(InputError, match="Choose another --port"):
        listen("127.0.0.1", taken.getsockname()[1])


class Application:
    """Reads bodies through a deadline; the test sends each part."""

    def __init__(self, seconds: float = 60, most_bytes: int = 100) -> None:
        self.timed = BodyDeadline(self, seconds, most_bytes)
        self.read: list[int] = []

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        count, more = 0, True
        while more:
            message = await receive()
            count, more = count + len(message["body"]), message["more_body"]
        self.read.append(count)

    def request(self) -> tuple["asyncio.Queue[Any]", "asyncio.Task[None]"]:
        """Return the queue of a new request's body parts, and the request."""
        parts: asyncio.Queue[Any] = asyncio.Queue()
        return parts, asyncio.create_task(self.timed({"type": "http"}, parts.get, parts.put))  # type: ignore[arg-type, typeddict-item]


def part(size: int, more: bool = True) -> dict[str, object]:
    return {"type": "http.request", "body": b"x" * size, "more_body": more}


def test_when_incomplete_bodies_exceed_the_limit_the_oldest_times_out():
    async def scenario() -> None:
        app = Application()
        (oldest, first), (newer, second), (newest, third) = (app.request() for _ in range(3))
        for parts in (oldest, newer, newest):
            await parts.put(part(50))
            await asyncio.sleep(0)
            await asyncio.sleep(0)
        with pytest.raises(Problem, match="too long to arrive"):
            await asyncio.wait_for(first, 10)
        for parts in (newer, newest):
            await parts.put(part(1, more=False))
        await asyncio.wait_for(asyncio.gather(second, third), 10)
        assert app.read == [51, 51]

    asyncio.run(scenario())


def test_complete_bodies_do_not_count_for_the_limit():
    async def scenario() -> None:
        app = Application()
        for _ in range(10):
            parts, request = app.request()
            await parts.put(part(90))
            await parts.put(part(90, more=False))
            await asyncio.wait_for(request, 10)
        assert app.read == [180] * 10

    asyncio.run(scenario())


def test_a_client_that_disconnects_during_its_body_is_no_server_error():
    async def scenario() -> None:
        parts, request = Application().request()
        await parts.put(part(10))
        await parts.put({"type": "http.disconnect"})
        with pytest.raises(ClientDisconnected):
            await asyncio.wait_for(request, 10)

    asyncio.run(scenario())


async def application(scope: Any, receive: Any, send: Any) -> None:
    scope["path_template"] = "/c/{stable_id}"
    await send({"type": "http.response.start", "status": 200, "headers": []})


async def vanished(scope: Any, receive: Any, send: Any) -> None:
    raise ConnectionResetError


def observe(app: Any, method: str = "GET", path: str = "/c/x") -> dict[str, str]:
    """Send a request through the observer; return the labels under which it was counted."""
    metrics = Metrics()

    async def nothing(*_: Any) -> None:
        return None

    scope: Any = {"type": "http", "method": method, "path": path, "headers": []}
    asyncio.run(RequestObserver(app, metrics)(scope, nothing, nothing))
    return labels_of(metrics)


def labels_of(metrics: Metrics) -> dict[str, str]:
    (labels,) = (
        sample.labels
        for family in metrics.registry.collect()
        for sample in family.samples
        if sample.name == "pincite_http_requests_total"
    )
    return labels


def test_a_request_is_counted_by_its_routes_pattern():
    assert observe(application) == {"method": "GET", "route": "/c/{stable_id}", "status": "200"}


@pytest.mark.parametrize("method", ["X-MADE-UP-1", "get", ""])
def test_an_unknown_method_does_not_become_a_label(method: str):
    assert observe(application, method)["method"] == "other"


def test_a_request_without_a_reply_is_counted_with_status_499():
    metrics = Metrics()

    async def run() -> None:
        await RequestObserver(vanished, metrics)({"type": "http", "method": "GET", "headers": []}, None, None)  # type: ignore[typeddict-item, arg-type]

    with pytest.raises(ConnectionResetError):
        asyncio.run(run())
    assert labels_of(metrics) == {"method": "GET", "route": "none", "status": "499"}
