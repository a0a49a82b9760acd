"""The route `/mcp`. The first request imports the MCP SDK, which takes most of a second."""

import asyncio
import importlib
from contextlib import AbstractAsyncContextManager
from typing import Any

from litestar import Request, asgi
from litestar.exceptions import MethodNotAllowedException
from litestar.handlers import ASGIRouteHandler
from litestar.types import ASGIApp, Receive, Scope, Send

from pincite_server.http.sidecar import Sidecar

__all__ = ("AgentDoor", "mcp_route")

_SERVER_MODULE = "pincite_server.http.mcp.server"


class AgentDoor:
    """Starts an MCP server for each site at its first request, and runs it in a task until `close`.

    The same task must enter and leave the SDK's session manager, so a request's task cannot.
    """

    def __init__(self) -> None:
        self._starting = asyncio.Lock()
        self._apps: dict[str, ASGIApp] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._closing = asyncio.Event()

    async def app(self, sidecar: Sidecar) -> ASGIApp:
        """Return the ASGI application of a site's server; start it if needed."""
        async with self._starting:
            if sidecar.site not in self._apps:
                module = await asyncio.to_thread(importlib.import_module, _SERVER_MODULE)
                running = asyncio.get_running_loop().create_future()
                manager = module.session_manager(sidecar)
                self._tasks.append(asyncio.create_task(self._run(manager, running)))
                self._apps[sidecar.site] = await running
            return self._apps[sidecar.site]

    async def close(self) -> None:
        """Stop all servers."""
        self._closing.set()
        await asyncio.gather(*self._tasks)

    async def _run(self, manager: Any, running: "asyncio.Future[ASGIApp]") -> None:
        lifetime: AbstractAsyncContextManager[None] = manager.run()
        async with lifetime:
            running.set_result(manager.handle_request)
            await self._closing.wait()


def mcp_route(door: AgentDoor) -> ASGIRouteHandler:
    """Return the MCP route; put it behind the token and the rate limits of lookups.

    The route accepts POST alone, as the protocol allows (MCP 2025-06-18, Streamable HTTP).
    """

    @asgi("/mcp", copy_scope=True)
    async def mcp(scope: Scope, receive: Receive, send: Send) -> None:
        if (
            scope.get("method") != "POST"
        ):  # a GET stream would stay empty: there are no sessions and no server-initiated messages
            raise MethodNotAllowedException(headers={"Allow": "POST"})
        whole: Sidecar = scope["litestar_app"].state.sidecar
        named = whole.of_request(scope)
        sidecar = named if named.members else named.of_page(Request(scope))
        served = await door.app(sidecar)
        await served(scope, receive, send)

    return mcp
