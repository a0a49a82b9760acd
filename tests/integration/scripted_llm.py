"""A tiny OpenAI-compatible server that answers by script, for tests of what a real endpoint may do.

Texts may name this turn's markers as `{1}`, `{2}` and `{0}`; the server reads their letters in the prompt, as a model
does. Requests for search queries have scripts of their own (`plans`), so that tests of answers need not mention them.
"""

import asyncio
import json
import re
import threading
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

import uvicorn

from pincite_server.llm.llm_settings import LlmSettings

__all__ = ("DONE", "Pause", "Raw", "ScriptedModel", "Status", "running", "scripted_model")

KEY = "sk-a-very-secret-key"
_NONCE = re.compile(r"<(?:excerpt|turn|statements) ([a-z]{5})")
_MARKER = re.compile(r"\{(\d)\}")
Send = Callable[[dict[str, Any]], Awaitable[None]]
ModelT = TypeVar("ModelT", bound="ScriptedModel")


@dataclass(frozen=True)
class Status:
    """Answers with a status and a body instead of a stream."""

    code: int
    body: str = "{}"
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Raw:
    """Sends bytes as they are; with `drop` the connection is cut after them."""

    data: bytes = b""
    content_type: str = "text/event-stream"
    drop: bool = False


@dataclass
class Pause:
    """Waits until the test lets the model go on, or the client goes away."""

    go_on: threading.Event = field(default_factory=threading.Event)
    reached: threading.Event = field(default_factory=threading.Event)
    abandoned: threading.Event = field(default_factory=threading.Event)


class ScriptedModel:
    """One script a request, in order; the last one is repeated. A step is text, a status, bytes or a pause.

    Attributes:
        requests: All that were made but those for search queries, which are the `plan_requests`.
    """

    def __init__(self) -> None:
        self.base_url = ""
        self.requests: list[dict[str, Any]] = []
        self.plan_requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self._scripts: deque[tuple[object, ...]] = deque()
        self._last: tuple[object, ...] = ()
        self._plans = {"": _PLAN}

    def reset(self) -> None:
        """Forget scripts and requests."""
        self.requests.clear()
        self.plan_requests.clear()
        self.headers.clear()
        self._scripts.clear()
        self._last = ()
        self._plans = {"": _PLAN}

    def says(self, *steps: object) -> None:
        """Append a script."""
        self._scripts.append(steps)

    def plans(self, *steps: object, about: str = "") -> None:
        """Answer requests for search queries with this script: all, or those of questions that hold a word."""
        self._plans = {about: steps, **self._plans} if about else {"": steps}

    def settings(self, **changes: Any) -> LlmSettings:
        """Return settings that lead here, without a second look unless it is asked for."""
        given = {"base_url": self.base_url, "model": "scripted", "api_key": KEY, "verify": "off", **changes}
        return LlmSettings(**given)

    def prompt(self, number: int = -1) -> str:
        """Return the text of a request's messages."""
        return "\n".join(message["content"] for message in self.requests[number]["messages"])

    async def __call__(
        self, scope: dict[str, Any], receive: Callable[[], Awaitable[dict[str, Any]]], send: Send
    ) -> None:
        assert scope["type"] == "http"
        body = b""
        while True:
            message = await receive()
            body += message.get("body", b"")
            if not message.get("more_body"):
                break
        asked = json.loads(body)
        self.headers.append({name.decode(): value.decode() for name, value in scope["headers"]})
        plans = asked["messages"][0]["content"].startswith(_PLANS)
        (self.plan_requests if plans else self.requests).append(asked)
        prompt = "\n".join(message["content"] for message in asked["messages"])
        await self._perform(self.script_for(asked, prompt, plans=plans), prompt, send, receive)

    def script_for(self, asked: dict[str, Any], prompt: str, *, plans: bool) -> tuple[object, ...]:
        """Return the script that answers a request."""
        if plans:
            question = asked["messages"][-1]["content"]
            return next(steps for word, steps in self._plans.items() if word in question)
        if self._scripts:
            self._last = self._scripts.popleft()
        return self._last

    async def _perform(
        self, script: tuple[object, ...], prompt: str, send: Send, receive: Callable[[], Awaitable[Any]]
    ) -> None:
        first = script[0]
        if isinstance(first, Status):
            headers = [(name.encode(), value.encode()) for name, value in first.headers.items()]
            await send({"type": "http.response.start", "status": first.code, "headers": headers})
            await send({"type": "http.response.body", "body": first.body.encode()})
            return
        kind = first.content_type if isinstance(first, Raw) else "text/event-stream"
        headers = [(b"content-type", kind.encode())]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        for step in script:
            await self._step(step, prompt, send, receive)
        await send({"type": "http.response.body", "body": b""})

    async def _step(self, step: object, prompt: str, send: Send, receive: Callable[[], Awaitable[Any]]) -> None:
        if isinstance(step, Pause):
            await _hold(step, receive)
        elif isinstance(step, Raw):
            await send({"type": "http.response.body", "body": step.data, "more_body": True})
            if step.drop:
                raise ConnectionError
        else:
            nonce = _NONCE.search(prompt)
            text = _MARKER.sub(lambda match: f"[{nonce[1] if nonce else '?'}-{match[1]}]", str(step))
            for piece in re.findall(r"\S+\s*|\s+", text):
                await send({"type": "http.response.body", "body": event(piece), "more_body": True})
            await send({"type": "http.response.body", "body": b"", "more_body": True})


def event(text: str = "", finish: str | None = None, **fields: object) -> bytes:
    """Return one chunk of a chat completion as an event."""
    choice = {"index": 0, "delta": {"content": text}, "finish_reason": finish}
    return f"data: {json.dumps({'choices': [choice], **fields})}\n\n".encode()


DONE = Raw(event(finish="stop") + b"data: [DONE]\n\n")
_PLAN: tuple[object, ...] = ("Lantern image port\nlistening address\n", DONE)
_PLANS = "You plan a search"


async def _hold(pause: Pause, receive: Callable[[], Awaitable[Any]]) -> None:
    pause.reached.set()
    gone = asyncio.ensure_future(receive())
    while not pause.go_on.is_set():
        done, _ = await asyncio.wait({gone}, timeout=0.01)
        if done:
            pause.abandoned.set()
            raise ConnectionError
    gone.cancel()


@contextmanager
def scripted_model() -> Iterator[ScriptedModel]:
    """Run a scripted model on a free port."""
    with running(ScriptedModel()) as model:
        yield model


@contextmanager
def running(model: ModelT) -> Iterator[ModelT]:
    """Run a model on a free port."""
    server = uvicorn.Server(uvicorn.Config(model, port=0, log_level="critical", lifespan="off", ws="none"))
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        while not server.started and thread.is_alive():
            time.sleep(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]
        model.base_url = f"http://127.0.0.1:{port}/v1"
        yield model
    finally:
        server.should_exit = True
        thread.join(30)
