"""A stream comes through nginx as it is sent, though nginx buffers and compresses whatever does not forbid it."""

import asyncio
import threading
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Sequence
from pathlib import Path

import httpx
import msgspec
import pytest
from httpx_sse import connect_sse
from litestar import Litestar, get
from litestar.response import Stream
from tests.integration.proxies import behind_nginx
from tests.integration.serving import serve_app

from pincite_server.http import wire
from pincite_server.http.replying.sse import event_stream

COMPRESSING = """
gzip on;
gzip_types *;
gzip_min_length 0;
server {{
  listen 127.0.0.1:PORT;
  location / {{ proxy_pass {upstream}; }}
}}
"""


@pytest.fixture
def client(tmp_path: Path, more: threading.Event) -> Iterator[httpx.Client]:
    """A client of an application behind nginx, which sends a first event at once and another when it may."""

    async def events() -> AsyncGenerator[Sequence[msgspec.Struct]]:
        yield (wire.AnswerDelta("first"),)
        await asyncio.to_thread(more.wait, 20)
        yield (wire.AnswerDelta("second"),)

    async def text() -> AsyncIterator[str]:
        async for (event,) in events():
            yield f"data: {msgspec.json.encode(event).decode()}\n\n"

    @get("/as-the-sidecar")
    async def as_the_sidecar() -> Stream:
        return event_stream(events(), heartbeat_seconds=60)

    @get("/plain")
    async def plain() -> Stream:
        return Stream(text(), media_type="text/event-stream")

    with (
        serve_app(Litestar([as_the_sidecar, plain])) as direct,
        behind_nginx(tmp_path, COMPRESSING.format(upstream=direct.base_url)) as proxied,
    ):
        yield proxied
        more.set()  # or the stream that nobody reads any more keeps the application


@pytest.fixture
def more() -> threading.Event:
    return threading.Event()


def test_an_event_arrives_before_the_next_one_exists(client: httpx.Client, more: threading.Event):
    headers = {"Accept-Encoding": "gzip"}
    with connect_sse(client, "GET", "/as-the-sidecar", headers=headers) as source:
        events = source.iter_sse()
        assert next(events).json() == {"text": "first"}
        more.set()
        assert next(events).json() == {"text": "second"}


def test_a_stream_without_the_sidecars_headers_is_held_back(client: httpx.Client):
    """The proxy of these tests really buffers."""
    with pytest.raises(httpx.ReadTimeout), client.stream("GET", "/plain", timeout=1) as response:
        next(response.iter_raw())
