"""A static host on this machine that misbehaves when told to, for tests of an index at a URL."""

import hashlib
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import msgspec
from tests.factories import build_index, make_scope

from pincite_core.index.schema import FORMAT

__all__ = ("Host", "Reply", "deploy", "host", "write_facts")

BLOCK = 4096


@dataclass(frozen=True, slots=True)
class Reply:
    """What is sent for a path in place of its file; `stop_after` bytes of the body the connection breaks."""

    status: int = 200
    body: bytes | None = None
    headers: dict[str, str] = field(default_factory=dict)
    stop_after: int | None = None
    seconds_a_block: float = 0.0


@dataclass(slots=True)
class Host:
    """A running host: the folder it serves, what it does instead, and what was asked of it."""

    folder: Path
    server: ThreadingHTTPServer
    instead: dict[str, Reply] = field(default_factory=dict)
    sent: Counter[str] = field(default_factory=Counter)
    unchanged: Counter[str] = field(default_factory=Counter)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.server_port}"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    host: Host

    def log_message(self, *_: Any) -> None: ...

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        reply = self.host.instead.get(path) or self._file(path)
        body = reply.body if reply.body is not None else self._content(path)
        etag = f'"{hashlib.sha256(body).hexdigest()[:16]}"'
        if reply.status == 200 and self.headers.get("If-None-Match") == etag:
            self.host.unchanged[path] += 1
            return self._head(304, {"ETag": etag})
        self.host.sent[path] += 1
        self._head(reply.status, {"Content-Length": str(len(body)), "ETag": etag, **reply.headers})
        self._send(body, reply)
        return None

    def _file(self, path: str) -> Reply:
        return Reply() if (self.host.folder / path.lstrip("/")).is_file() else Reply(404, b"nothing here")

    def _content(self, path: str) -> bytes:
        return (self.host.folder / path.lstrip("/")).read_bytes()

    def _head(self, status: int, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()

    def _send(self, body: bytes, reply: Reply) -> None:
        for start in range(0, len(body), BLOCK):
            block = body[start : start + BLOCK]
            if reply.stop_after is not None and start + len(block) > reply.stop_after:
                self.close_connection = True
                return
            self.wfile.write(block)
            time.sleep(reply.seconds_a_block)


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_: Any) -> None:
        """Say nothing when a client goes away."""


@contextmanager
def host(folder: Path, port: int = 0, address: str = "127.0.0.1") -> Iterator[Host]:
    """Serve a folder; the port is free again afterwards, as when a site is down."""
    handler: Callable[..., Any] = type("Handler", (_Handler,), {})
    server = _Server((address, port), handler)
    running = handler.host = Host(folder, server)  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield running
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def deploy(folder: Path, port: int, *, locale: str = "en", siblings: tuple[str, ...] = (), **pages: str) -> None:
    """Write the index of a build `b-PORT` that says on which port Lantern listens, laid out under `/kit/`.

    Args:
        folder: The folder of the site's host.
        port: What tells one build from another.
        locale: Other languages than English have a folder of their own.
        siblings: The other languages.
        pages: Further pages, by the last part of their URL.
    """
    base = "/kit/" if locale == "en" else f"/kit/{locale}/"
    out = folder / base.strip("/") / "pincite"
    texts = {f"{base}install": f"# Install\n## Docker {{#docker}}\nThe Lantern image listens on port {port}.\n"}
    texts |= {f"{base}{name}": text for name, text in pages.items()}
    build_index(out, texts, scopes=(make_scope(locale=locale),), default_locale=locale, base_url=base)
    others = [f"/kit/{name}/pincite/" if name != "en" else "/kit/pincite/" for name in siblings]
    write_facts(out, port, base, siblings=others)


def write_facts(out: Path, port: int, base: str, **changes: object) -> None:
    """Write the `index.json` of the database that is there; `changes` are its further or other fields."""
    data = (out / "index.db").read_bytes()
    facts = {
        "build_id": f"b-{port}",
        "built_at": "2026-02-13T10:00:00Z",
        "sha256": hashlib.sha256(data).hexdigest(),
        "size": len(data),
        "format": FORMAT,
        "base_url": base,
        **changes,
    }
    (out / "index.json").write_bytes(msgspec.json.encode(facts))
