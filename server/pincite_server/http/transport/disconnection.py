"""Cancels the work for a client that disconnects."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from litestar import Request

from pincite_server.http.transport.problems import ClientDisconnected

__all__ = ("unless_disconnected",)

T = TypeVar("T")


async def unless_disconnected(request: Request[Any, Any, Any], work: Coroutine[Any, Any, T]) -> T:
    """Return the result of `work`; cancel it if the client disconnects first.

    Raises:
        ClientDisconnected: The client disconnected.
    """
    task = asyncio.ensure_future(work)
    watcher = asyncio.ensure_future(_disconnection(request))
    try:
        await asyncio.wait({task, watcher}, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise ClientDisconnected(detail="the client went away")  # the framework has no phrase for status 499
        return task.result()
    finally:
        task.cancel()
        watcher.cancel()
        await asyncio.gather(task, watcher, return_exceptions=True)


async def _disconnection(request: Request[Any, Any, Any]) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
