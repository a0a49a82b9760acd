"""The socket that the sidecar listens on, how long a body may take to arrive, and in what pieces a reply goes out."""

import asyncio
import socket

from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPReceiveMessage, Message, Receive, Scope, Send, WebSocketReceiveMessage

from pincite_core.errors import InputError
from pincite_server.http.transport.problems import ClientDisconnected, Problem

__all__ = ("PIECE_BYTES", "BodyDeadline", "InPieces", "listen", "url_of")

ReceiveMessage = HTTPReceiveMessage | WebSocketReceiveMessage

PIECE_BYTES = 32 * 1024  # twice this is all of a reply that is held for a client that does not read it

_BACKLOG = 2048  # uvicorn's own: connections that wait while the loop is busy
_SEND_BUFFER_BYTES = 128 * 1024  # the kernel would hold megabytes, and tell seldom that a slow client reads at all
_RECEIVE_BUFFER_BYTES = 32 * 1024  # hundreds that send at the same time are read a little at a time
_MOST_ARRIVING_BYTES = 16 * 1024 * 1024  # 64 of the largest bodies; honest ones arrive within milliseconds


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
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SEND_BUFFER_BYTES)  # of each connection taken
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _RECEIVE_BUFFER_BYTES)
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


class InPieces:
    """Wraps the application: a reply goes out in pieces, each when the one before it has left.

    uvicorn waits for a slow client before it writes, not after: what it is given at once is held as long as the client
    likes.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request through."""

        async def send_in_pieces(message: Message) -> None:
            if message["type"] != "http.response.body":
                await send(message)
                return
            body, more = message.get("body", b""), message.get("more_body", False)
            for start in range(0, max(1, len(body)), PIECE_BYTES):
                end = start + PIECE_BYTES
                piece: Message = {
                    "type": "http.response.body",
                    "body": body[start:end],
                    "more_body": more or end < len(body),
                }
                await send(piece)
                if end < len(body):
                    await asyncio.sleep(0)  # others' turn; and a client's leaving is heard of only in between

        await self._app(scope, receive, send_in_pieces)


class _Arrival:
    """A body on its way: until when it has to be whole, and how much of it is there."""

    def __init__(self, deadline: float) -> None:
        self.deadline = deadline
        self.held_bytes = 0
        self._waiting: asyncio.Timeout | None = None

    async def next_message(self, receive: Receive) -> ReceiveMessage:
        """Return what comes next.

        Raises:
            TimeoutError: Nothing came in time.
        """
        try:
            async with asyncio.timeout_at(self.deadline) as self._waiting:
                return await receive()
        finally:
            self._waiting = None

    def end(self) -> None:
        """Have no more time for it."""
        self.deadline = 0.0
        if self._waiting is not None:
            self._waiting.reschedule(self.deadline)


class BodyDeadline:
    """Wraps the application: reading a body that is not whole in time is the problem `body_too_slow`.

    When bodies that are not whole hold too much together, the time of the oldest is over. Where the reply is under way
    already, a client that is late counts as gone; one that goes before its body is whole is no fault of the server's.

    Args:
        app: What reads the body.
        seconds: From the request's first line to the body's last byte.
        most_bytes: Of all bodies that are not whole.
    """

    def __init__(self, app: ASGIApp, seconds: float, most_bytes: int = _MOST_ARRIVING_BYTES) -> None:
        self._app = app
        self._seconds = seconds
        self._most_bytes = most_bytes
        self._arriving: dict[_Arrival, None] = {}  # the oldest first

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request through."""
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
            if is_whole:  # what follows is the client's leaving, which may take as long as the answer does
                return await receive()
            try:
                message = await arrival.next_message(receive)
            except TimeoutError:
                if is_answered:
                    return {"type": "http.disconnect"}
                raise Problem("body_too_slow", headers={"Connection": "close"}) from None
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
        """Count what a body holds as long as it is not whole, and end the oldest when that is too much together."""
        if is_whole:
            self._arriving.pop(arrival, None)
            return
        arrival.held_bytes += len(message.get("body", b"")) if message["type"] == "http.request" else 0
        self._arriving.setdefault(arrival)
        while sum(item.held_bytes for item in self._arriving) > self._most_bytes:
            oldest = next(iter(self._arriving))
            del self._arriving[oldest]
            oldest.end()
