"""The listening socket, and middleware: the request log, the deadline for bodies, and replies in pieces."""

import asyncio
import logging
import re
import socket
import time
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPMethod, HTTPStatus
from uuid import uuid4

from litestar.datastructures import Headers, MutableScopeHeaders
from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPReceiveMessage, Message, Receive, Scope, Send, WebSocketReceiveMessage

from pincite_core.errors import InputError
from pincite_server.http.transport.problems import ClientDisconnected, Problem
from pincite_server.observe.logs import request_id
from pincite_server.observe.metrics import Metrics

__all__ = (
    "PIECE_BYTES",
    "REQUEST_ID_HEADER",
    "BodyDeadline",
    "InPieces",
    "RequestObserver",
    "listen",
    "url_of",
    "with_headers",
)

logger = logging.getLogger("pincite.requests")

ReceiveMessage = HTTPReceiveMessage | WebSocketReceiveMessage

PIECE_BYTES = 32 * 1024  # at most two pieces of a reply are buffered for a client that does not read

REQUEST_ID_HEADER = "X-Request-Id"
_GIVEN_ID = re.compile(r"[A-Za-z0-9_-]{8,64}")  # a proxy's id is kept; other values could forge log lines
_NO_REPLY = 499  # what proxies log when the client left before there was a status
_BACKLOG = 2048  # uvicorn's default: connections that wait while the event loop is busy
_SEND_BUFFER_BYTES = 128 * 1024  # the kernel's default is megabytes, which hides for long whether a slow client reads
_RECEIVE_BUFFER_BYTES = 32 * 1024  # limits what hundreds of simultaneous senders can buffer
_MOST_ARRIVING_BYTES = 16 * 1024 * 1024  # 64 bodies of the largest size; ordinary bodies arrive within milliseconds


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens on a port; port 0 takes a free port.

    The socket names its protocol, since asyncio disables Nagle's algorithm only on such sockets. With Nagle's
    algorithm, every reply waits some 40 ms for the client's delayed acknowledgement.

    Raises:
        InputError: The port is taken, or the address does not belong to this machine.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SEND_BUFFER_BYTES)  # accepted connections inherit it
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _RECEIVE_BUFFER_BYTES)
        listener.bind((host, port))
        listener.listen(_BACKLOG)
    except OSError as error:
        listener.close()
        message = f"Could not listen on {host}:{port} ({error.strerror}). Choose another --port."
        raise InputError(message) from error
    return listener


def url_of(listener: socket.socket) -> str:
    """Return the URL of the listener for a browser on this machine, without a path."""
    host, port = listener.getsockname()[:2]
    shown = "localhost" if host in {"0.0.0.0", "::"} else f"[{host}]" if ":" in host else host
    return f"http://{shown}:{port}"


def with_headers(send: Send, headers: Mapping[str, str]) -> Send:
    """Return a `send` that sets headers on the reply."""

    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableScopeHeaders.from_message(message).update(headers)
        await send(message)

    return send_with_headers


class InPieces:
    """ASGI middleware that sends a reply in pieces, each after the previous piece has left.

    uvicorn waits for a slow client before a write, not after it. So uvicorn would hold a large write for as long as the
    client takes to read it.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""

        async def send_in_pieces(message: Message) -> None:
            if message["type"] != "http.response.body":
                await send(message)
                return
            body, more = message.get("body", b""), message.get("more_body", False)
            for start in range(0, max(1, len(body)), PIECE_BYTES):
                end = start + PIECE_BYTES
                has_more = more or end < len(body)
                await send({"type": "http.response.body", "body": body[start:end], "more_body": has_more})
                if end < len(body):
                    await asyncio.sleep(0)  # lets other tasks run, and lets the client's disconnection be noticed

        await self._app(scope, receive, send_in_pieces)


@dataclass(slots=True, eq=False)
class _Arrival:
    """A request body that is still arriving: its deadline and the bytes received so far."""

    deadline: float
    held_bytes: int = 0
    timeout: asyncio.Timeout | None = None


class BodyDeadline:
    """ASGI middleware that raises the problem `body_too_slow` if a body is incomplete at its deadline.

    When all incomplete bodies together exceed `most_bytes`, the oldest one's deadline passes at once. If the reply has
    begun already, a late client counts as disconnected. A client that disconnects before its body is complete raises
    `ClientDisconnected`, which is no server error. The time runs from the request's first line to the body's last byte.
    """

    def __init__(self, app: ASGIApp, seconds: float, most_bytes: int = _MOST_ARRIVING_BYTES) -> None:
        self._app = app
        self._seconds = seconds
        self._most_bytes = most_bytes
        self._arriving: dict[_Arrival, None] = {}  # the oldest first

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        arrival = _Arrival(asyncio.get_running_loop().time() + self._seconds)
        is_whole = is_answered = False

        async def send_and_note(message: Message) -> None:
            nonlocal is_answered
            is_answered = True
            await send(message)

        async def receive_in_time() -> ReceiveMessage:
            nonlocal is_whole
            if is_whole:  # only the client's disconnection can follow, at any time during the answer
                return await receive()
            try:
                async with asyncio.timeout_at(arrival.deadline) as arrival.timeout:
                    message = await receive()
            except TimeoutError:
                if is_answered:
                    return {"type": "http.disconnect"}
                raise Problem("body_too_slow", headers={"Connection": "close"}) from None
            finally:
                arrival.timeout = None
            if message["type"] == "http.disconnect" and not is_answered:
                raise ClientDisconnected(detail="the client went away")
            is_whole = message["type"] != "http.request" or not message.get("more_body", False)
            self._note(arrival, message, is_whole)
            return message

        try:
            await self._app(scope, receive_in_time, send_and_note)
        finally:
            self._arriving.pop(arrival, None)

    def _note(self, arrival: _Arrival, message: ReceiveMessage, is_whole: bool) -> None:
        """Count the bytes of an incomplete body. While all such bodies exceed the limit, end the oldest."""
        if is_whole:
            self._arriving.pop(arrival, None)
            return
        arrival.held_bytes += len(message.get("body", b"")) if message["type"] == "http.request" else 0
        self._arriving.setdefault(arrival)
        while sum(item.held_bytes for item in self._arriving) > self._most_bytes:
            oldest = next(iter(self._arriving))
            del self._arriving[oldest]
            oldest.deadline = 0.0
            if oldest.timeout is not None:
                oldest.timeout.reschedule(0.0)


class RequestObserver:
    """Outermost ASGI middleware: sets a request id, records metrics, and logs each request without its text."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        given = Headers.from_scope(scope).get(REQUEST_ID_HEADER.lower(), "")
        own_id = given if _GIVEN_ID.fullmatch(given) else uuid4().hex
        reset = request_id.set(own_id)
        started, status = time.perf_counter(), _NO_REPLY

        async def send_with_id(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableScopeHeaders.from_message(message)[REQUEST_ID_HEADER] = own_id
            await send(message)

        try:
            await self._app(scope, receive, send_with_id)
        finally:
            seconds, method = time.perf_counter() - started, str(scope.get("method", ""))
            if method not in HTTPMethod.__members__:
                method = "other"  # so that clients cannot create metrics
            route = "none" if status == HTTPStatus.METHOD_NOT_ALLOWED else str(scope.get("path_template") or "none")
            self._metrics.observe_request(method, route, status, seconds)
            fields = {"method": method, "route": route, "status": status, "ms": round(seconds * 1000, 1)}
            logger.info("request", extra=fields)
            request_id.reset(reset)
