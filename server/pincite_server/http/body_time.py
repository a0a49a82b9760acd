"""How long a request's body may take to arrive: who sends a byte now and then must not hold a connection for ever."""

import asyncio

from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPReceiveMessage, Receive, Scope, Send, WebSocketReceiveMessage

from pincite_server.http.problems import Problem

__all__ = ("BodyDeadline",)


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
