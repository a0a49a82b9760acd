"""A real HTTP server that speaks OpenAI's `/v1/embeddings`, and misbehaves when told to."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from pincite_core.embedders import Embedder

__all__ = ("EmbeddingsServer", "Said", "embeddings_server")

Body = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Said:
    """What is said instead: a status, a body (of text, or made of what would have been said), headers."""

    status: int = 200
    body: str | Callable[[Body], Body] = "{}"
    headers: dict[str, str] = field(default_factory=dict)
    after: float = 0.0
    hang_up: bool = False


@dataclass(slots=True)
class EmbeddingsServer:
    """A running server; `instead` is said to the next requests, one each, and `always` to all after them."""

    embedder: Embedder
    url: str = ""
    instead: list[Said] = field(default_factory=list)
    always: Said | None = None
    asked: list[Body] = field(default_factory=list)
    keys: set[str | None] = field(default_factory=set)
    at_once: int = 0
    _now: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def texts(self) -> list[str]:
        """All texts that were asked for, in the order of their requests."""
        return [text for body in self.asked for text in body["input"]]

    def answer(self, body: Body, key: str | None) -> Said:
        """Note a request; return what is said to it."""
        with self._lock:
            self.asked.append(body)
            self.keys.add(key)
            self._now += 1
            self.at_once = max(self.at_once, self._now)
            said = self.instead.pop(0) if self.instead else self.always
        try:
            return self._said(said, body)
        finally:
            with self._lock:
                self._now -= 1

    def _said(self, said: Said | None, body: Body) -> Said:
        if said is not None:
            time.sleep(said.after)
            if isinstance(said.body, str):
                return said
        with self._lock:  # an encoder is one thread's
            vectors = self.embedder.encode(body["input"])
        items = [{"object": "embedding", "index": row, "embedding": one.tolist()} for row, one in enumerate(vectors)]
        reply: Body = {"object": "list", "data": items, "model": body["model"], "usage": {"total_tokens": 1}}
        changed = reply if said is None or isinstance(said.body, str) else said.body(reply)
        return Said(said.status if said else 200, json.dumps(changed), {"Content-Type": "application/json"})


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    serving: EmbeddingsServer

    def log_message(self, *_: Any) -> None: ...

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path != "/v1/embeddings":
            said = Said(404, "{}")
        else:
            said = self.serving.answer(body, self.headers["Authorization"])
        if said.hang_up:
            self.close_connection = True
            return
        assert isinstance(said.body, str)
        self.send_response(said.status)
        for name, value in {**said.headers, "Content-Length": str(len(said.body.encode()))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(said.body.encode())


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_: Any) -> None:
        """Say nothing when a client goes away."""


@contextmanager
def embeddings_server(embedder: Embedder) -> Iterator[EmbeddingsServer]:
    """Serve an embedder's vectors of passages, which has the prompts before them already."""
    serving = EmbeddingsServer(embedder)
    server = _Server(("127.0.0.1", 0), type("Handler", (_Handler,), {"serving": serving}))
    serving.url = f"http://127.0.0.1:{server.server_port}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield serving
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
