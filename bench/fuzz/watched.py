"""Watch a real sidecar: a request may cause no 500, no traceback, no delay of seconds and no growth of memory."""

import re
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx
from bench.fuzz.requests import HttpRequest
from bench.running import Sidecar, run_sidecar
from tests.integration.serving import build_tiny_index

__all__ = ("MOST_GROWTH", "WatchedSidecar", "watch")

MOST_GROWTH = 300.0
"""The limit for memory growth since the start, in MB."""

_STATUS = re.compile(rb"HTTP/1\.\d (\d{3})")
_RAISED = re.compile(r"^(?:[\w.]+(?:Error|Exception|Group)\b[^\n]*)", re.MULTILINE)
_PAUSE = 0.3  # seconds after which an incomplete request counts as waiting for more
_PAGE = "<!doctype html><html><head><title>Install</title></head><body><h1 id=docker>Install</h1></body></html>"
_QUESTION = {"message_id": str(UUID(int=1)), "query": "Which port does the Lantern image listen on?"}
_LISTING = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
_ACCEPT = {"accept": "application/json, text/event-stream"}
_OPTIONS = ("--request-seconds", "1", "--threads", "2", "--poll-seconds", "0")


@dataclass(slots=True)
class WatchedSidecar:
    """A sidecar, its routes and tools, its log so far, and its limit: `seconds` for each reply."""

    sidecar: Sidecar
    log: Path
    seconds: float
    openapi: dict[str, Any] = field(init=False)
    tools: dict[str, Any] = field(init=False)
    start_megabytes: float = field(init=False)
    _read: int = 0

    def __post_init__(self) -> None:
        url = self.sidecar.url
        self.openapi = httpx.get(f"{url}/schema/openapi.json", timeout=30).json()
        httpx.post(f"{url}/api/chat", json=_QUESTION, timeout=30).raise_for_status()
        listed = httpx.post(f"{url}/mcp", json=_LISTING, headers=_ACCEPT, timeout=30).json()["result"]["tools"]
        self.tools = {tool["name"]: tool["inputSchema"] for tool in listed}
        self.start_megabytes = self.sidecar.megabytes()

    def wrong_with(self, request: HttpRequest) -> str | None:
        """Send a request; return the fault, with the same text for the same fault."""
        reply, seconds = self._exchange(request)
        if seconds > self.seconds:  # try again: one pause of a busy machine is not a finding
            reply, seconds = self._exchange(request)
        return self._of_reply(request, reply, seconds) or self._of_process()

    def _of_reply(self, request: HttpRequest, reply: bytes, seconds: float) -> str | None:
        route = _route_of(request)
        status = int(found[1]) if (found := _STATUS.match(reply)) else None
        written = self._news()
        if "Traceback" in written:
            raised = _RAISED.findall(written)
            return f"a traceback in the log: {raised[-1][:100] if raised else ''} ({route})"
        if status is not None and status >= 500 and status != 501:
            return f"{status} of {route}"
        if b"Traceback" in reply or b'"code":-32603' in reply:
            return f"an internal error told by {route}"
        if seconds > self.seconds:
            return f"over {self.seconds:g} seconds: {route}"
        if status is None and request.whole:
            return f"no reply: {route}"
        return None

    def _of_process(self) -> str | None:
        if self.sidecar.process.poll() is not None:
            return f"the sidecar has ended with {self.sidecar.process.returncode}"
        grown = self.sidecar.megabytes() - self.start_megabytes
        return f"{MOST_GROWTH:g} MB more than at the start" if grown > MOST_GROWTH else None

    def _news(self) -> str:
        data = self.log.read_bytes()
        news, self._read = data[self._read :], len(data)
        return news.decode("utf-8", "replace")

    def _exchange(self, request: HttpRequest) -> tuple[bytes, float]:
        """Send a request's bytes; return the reply and the seconds that it took."""
        url, began, limit = httpx.URL(self.sidecar.url), time.monotonic(), 3 * self.seconds + 1
        received: list[bytes] = []
        with socket.create_connection((url.host, url.port or 80), timeout=limit) as connection:
            try:
                connection.sendall(request.sent)
                while time.monotonic() - began < limit:
                    connection.settimeout(limit if request.whole or received else _PAUSE)
                    block = connection.recv(65536)
                    if not block:
                        break
                    received.append(block)
                    if not request.whole or _is_open_stream(request, received[0]):
                        break
            except TimeoutError:
                if not request.whole:
                    return b"", 0.0
            except OSError:  # the sidecar answered and closed the connection early
                pass
        return b"".join(received), time.monotonic() - began


def _is_open_stream(request: HttpRequest, head: bytes) -> bool:
    """Return whether the request is an agent's stream of server messages, which stays open."""
    return request.sent.startswith(b"GET ") and b"content-type: text/event-stream" in head.lower()


def _route_of(request: HttpRequest) -> str:
    """Return the method and the first parts of the path, which distinguish findings."""
    words = request.sent[:200].split(b" ", 2)
    if not request.whole or len(words) < 3:
        return "a damaged request"
    path = words[1].partition(b"?")[0].decode("latin-1")
    return f"{words[0].decode('latin-1')[:10]} {'/'.join(path.split('/')[:3])[:40]}"


@contextmanager
def watch(folder: Path, seconds: float) -> Iterator[WatchedSidecar]:
    """Serve a small site with its index from `folder`; watch it after it has answered a question and an agent."""
    site, log = folder / "site", folder / "log.txt"
    build_tiny_index(site / "pincite")
    (site / "install.html").write_text(_PAGE, encoding="utf-8")
    with run_sidecar("--site", site, "--cache-dir", folder / "cache", *_OPTIONS, log=log) as served:
        url = str(httpx.URL(served.url).copy_with(path="/")).rstrip("/")
        yield WatchedSidecar(Sidecar(url, served.process), log, seconds)
