"""A real sidecar in a process of its own, over a tiny real index, for tests that speak HTTP to it."""

import os
import re
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import httpx
import pytest
import uvicorn
from litestar import Litestar
from tests.commands import Command, pincite_anew, start_command
from tests.factories import PageSource, build_index, make_scope
from tests.patience import PATIENCE

from pincite_server.answering.reply_broadcast import ReplyBroadcast
from pincite_server.http.replying.ledger import AnswerLedger

__all__ = (
    "PAGES",
    "ask",
    "build_tiny_index",
    "count_questions",
    "question",
    "serve",
    "serve_app",
    "serve_command",
    "until",
)

_URL = re.compile(r"http://\S+")

PAGES: Mapping[str, str] = {
    "/kit/install": """# Install
Lantern runs on Linux and macOS.
## Docker {#docker}
Run the Lantern image with docker run lantern. The image listens on port 8080.

```sh
docker run lantern
```
## npm {#npm}
Install the package with npm install lantern.
""",
    "/kit/config": """# Configuration
## Options {#options}
| Option: port; Default: 8080; Meaning: The port that Lantern listens on | {#opt-port}
| Option: host; Default: localhost; Meaning: The address that Lantern binds | {#opt-host}
""",
}


def build_tiny_index(folder: Path, locale: str = "en", base_url: str = "/kit/") -> Path:
    """Write an index of `PAGES`, moved under the base path, and return its folder."""
    pages = {url.replace("/kit/", base_url): PageSource(text) for url, text in PAGES.items()}
    scope = make_scope(locale=locale)
    build_index(folder, pages, scopes=(scope,), default_locale=locale, base_url=base_url)
    return folder


def serve_command(*arguments: str | Path) -> list[str]:
    """Return the command line of `pincite serve` in this Python."""
    return pincite_anew("serve", *arguments)


@contextmanager
def serve(*arguments: str | Path, **environment: str) -> Iterator[httpx.Client]:
    """Run `pincite serve` on a free port; yield a client for it.

    Args:
        arguments: The command line after `serve`.
        environment: Variables on top of this process's own.
    """
    settings = {"PINCITE_RATE_LIMIT": "0", "PINCITE_ADDRESS_LIMIT": "0", "PINCITE_THREADS": "2", **environment}
    with start_command("serve", *arguments, "--port", "0", environment=os.environ | settings) as process:
        try:
            with _client(process) as client:
                yield client
        finally:
            process.terminate()
    assert process.returncode == 0


def _client(process: "Command | subprocess.Popen[str]") -> httpx.Client:
    assert process.stdout is not None
    announced = process.stdout.readline()
    found = _URL.search(announced)
    assert found, f"`pincite serve` did not say where it listens: {announced!r}"
    return httpx.Client(base_url=httpx.URL(found[0]).copy_with(path="/"), timeout=PATIENCE)


def question(query: str, **fields: object) -> dict[str, object]:
    """Return a request body with an id of its own."""
    return {"message_id": str(uuid4()), "session_id": "s-1", "query": query, "mode": "corpus", **fields}


def ask(client: httpx.Client, query: str, **fields: object) -> httpx.Response:
    """Ask for one JSON answer."""
    return client.post("/api/chat", json=question(query, **fields))


@contextmanager
def serve_app(app: Litestar) -> Iterator[httpx.Client]:
    """Run an application on a thread of this process, for tests that look inside it."""
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="critical", proxy_headers=False))
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        while not server.started and thread.is_alive():
            time.sleep(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE) as client:
            yield client
    finally:
        server.should_exit = True
        thread.join(30)


def until(happened: Callable[[], bool]) -> None:
    """Wait until something has happened; fail when it does not."""
    given_up = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < given_up, "it did not happen"
        time.sleep(0.02)


def count_questions(monkeypatch: pytest.MonkeyPatch) -> list[UUID]:
    """Return a list that gets the `message_id` of every question that arrives at a sidecar in this process."""
    arrived: list[UUID] = []
    once = AnswerLedger.once

    def counting(ledger: AnswerLedger, message_id: UUID, *work: Any) -> ReplyBroadcast:
        arrived.append(message_id)
        return once(ledger, message_id, *work)

    monkeypatch.setattr(AnswerLedger, "once", counting)
    return arrived
