"""A stream comes through nginx as it is sent, though nginx buffers and compresses whatever does not forbid it."""

import asyncio
import os
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import msgspec
import pytest
from httpx_sse import connect_sse
from litestar import Litestar, get
from litestar.response import Stream
from litestar.response.sse import ServerSentEvent
from tests.integration.serving import serve_app

from pincite_server.http import wire
from pincite_server.http.sse import event_stream

CONFIG = """
user root;
pid {folder}/nginx.pid;
error_log stderr crit;
events {{ }}
http {{
  access_log off;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  gzip on;
  gzip_types *;
  gzip_min_length 0;
  server {{
    listen 127.0.0.1:{port};
    location / {{ proxy_pass {upstream}; }}
  }}
}}
"""


@pytest.fixture(scope="module")
def nginx() -> str:
    found = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
    if found is None:
        if os.environ.get("PINCITE_REQUIRE_NGINX"):
            pytest.fail("nginx is not installed")
        pytest.skip("nginx is not installed")
    return found


@contextmanager
def behind(nginx: str, folder: Path, upstream: str) -> Iterator[httpx.Client]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    config = folder / "nginx.conf"
    config.write_text(CONFIG.format(folder=folder, port=port, upstream=upstream))
    with subprocess.Popen([nginx, "-c", str(config), "-p", str(folder), "-g", "daemon off;"]) as process:
        try:
            with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=20) as client:
                wait_for(client)
                yield client
        finally:
            process.terminate()


def wait_for(client: httpx.Client) -> None:
    for _ in range(200):
        try:
            client.get("/nothing")
        except httpx.ConnectError:
            time.sleep(0.02)
        else:
            return
    pytest.fail("nginx did not start")


@pytest.fixture
def client(nginx: str, tmp_path: Path, more: threading.Event) -> Iterator[httpx.Client]:
    """A client of an application behind nginx, which sends a first event at once and another when it may."""

    async def events() -> AsyncGenerator[msgspec.Struct]:
        yield wire.AnswerDelta("first")
        await asyncio.to_thread(more.wait, 20)
        yield wire.AnswerDelta("second")

    async def text() -> AsyncIterator[str]:
        async for event in events():
            yield f"data: {msgspec.json.encode(event).decode()}\n\n"

    @get("/as-the-sidecar")
    async def as_the_sidecar() -> ServerSentEvent:
        return event_stream(events(), heartbeat_seconds=60)

    @get("/plain")
    async def plain() -> Stream:
        return Stream(text(), media_type="text/event-stream")

    with (
        serve_app(Litestar([as_the_sidecar, plain])) as direct,
        behind(nginx, tmp_path, str(direct.base_url)) as proxied,
    ):
        yield proxied


@pytest.fixture
def more() -> Iterator[threading.Event]:
    event = threading.Event()
    yield event
    event.set()


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
