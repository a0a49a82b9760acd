"""The socket that the sidecar listens on, and how long a request may take to arrive."""

import asyncio
import socket
from typing import ClassVar

from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPReceiveMessage, Receive, Scope, Send, WebSocketReceiveMessage
from uvicorn.protocols.http.h11_impl import H11Protocol

from pincite_core.errors import InputError
from pincite_server.http.transport.problems import Problem

__all__ = ("BodyDeadline", "head_deadline", "listen", "url_of")

_BACKLOG = 2048  # uvicorn's own: connections that wait while the loop is busy


def listen(host: str, port: int) -> socket.socket:
    """Take a port, 0 for a free one.

    The socket names its protocol, because asyncio turns Nagle's algorithm off only on those that do; with it on, every
    reply waits some 40 ms for the client's delayed acknowledgement.

    Raises:
        InputError: The port is taken, or the address is none of this machine's.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(_BACKLOG)
    except OSError as error:
        listener.close()
        message = f"Could not listen on {host}:{port} ({error.strerror}). Choose another --port."
        raise InputError(message) from error
    return listener


def url_of(listener: socket.socket) -> str:
    """Return the URL to type into a browser on this machine, without a path."""
    host, port = listener.getsockname()[:2]
    shown = "localhost" if host in {"0.0.0.0", "::"} else f"[{host}]" if ":" in host else host
    return f"http://{shown}:{port}"


class _HeadDeadline(H11Protocol):
    """Closes a connection on which nothing is being answered and no request's head becomes whole in time.

    What follows an answer that did not wait for its request's body counts as the next head, so that this is no way
    around the limit either.
    """

    seconds: ClassVar[float]
    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        super().connection_made(transport)
        self._start()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self._stop()
        elif self._timer is None:
            self._start()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop()
        super().connection_lost(exc)

    def _start(self) -> None:
        self._timer = self.loop.call_later(self.seconds, self.transport.close)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def head_deadline(seconds: float) -> type[H11Protocol]:
    """Return the protocol for `uvicorn.Config(http=...)` that gives a request's head `seconds` to arrive."""

    class HeadDeadline(_HeadDeadline):
        pass

    HeadDeadline.seconds = seconds
    return HeadDeadline


class BodyDeadline:
    """Wraps the application: reading a body that is not whole in time is the problem `body_too_slow`.

    Args:
        app: What reads the body.
        seconds: From the request's first line to the body's last byte.
    """

    def __init__(self, app: ASGIApp, seconds: float) -> None:
        self._app = app
        self._seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request through."""
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        deadline, is_whole = asyncio.get_running_loop().time() + self._seconds, False

        async def receive_in_time() -> HTTPReceiveMessage | WebSocketReceiveMessage:
            nonlocal is_whole
            if is_whole:  # what follows is the client's leaving, which may take as long as the answer does
                return await receive()
            try:
                async with asyncio.timeout_at(deadline):
                    message = await receive()
            except TimeoutError:
                raise Problem("body_too_slow", headers={"Connection": "close"}) from None
            is_whole = message["type"] != "http.request" or not message.get("more_body", False)
            return message

        await self._app(scope, receive_in_time, send)
