"""The route `/mcp`. The first request imports the MCP SDK, which takes most of a second."""

import asyncio
import importlib
from typing import Any

from litestar import Request, asgi
from litestar.exceptions import MethodNotAllowedException
from litestar.handlers import ASGIRouteHandler
from litestar.types import ASGIApp, Receive, Scope, Send

from pincite_server.http.sidecar import Sidecar

__all__ = ("McpRoute",)


class McpRoute:
    """Starts an MCP server for each site at its first request, and runs it in a task until `close`.

    The same task must enter and leave the SDK's session manager, so a request's task cannot.
    """

    def __init__(self) -> None:
        self._starting = asyncio.Lock()
        self._apps: dict[str, ASGIApp] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._closing = asyncio.Event()

    def handler(self) -> ASGIRouteHandler:
        """Return the route handler; put it behind the token and the rate limits of lookups.

        The route accepts POST alone, as the protocol allows (MCP 2025-06-18, Streamable HTTP). A GET stream would stay
        empty: there are no sessions and no server-initiated messages.
        """

        @asgi("/mcp", copy_scope=True)
        async def mcp(scope: Scope, receive: Receive, send: Send) -> None:
            if scope.get("method") != "POST":
                raise MethodNotAllowedException(headers={"Allow": "POST"})
            sidecar: Sidecar = scope["litestar_app"].state.sidecar.of_request(scope)
            app = await self._app(sidecar if sidecar.members else sidecar.of_page(Request(scope)))
            await app(scope, receive, send)

        return mcp

    async def close(self) -> None:
        """Stop all servers."""
        self._closing.set()
        await asyncio.gather(*self._tasks)

    async def _app(self, sidecar: Sidecar) -> ASGIApp:
        """Return the ASGI application of a site's server; start it if needed."""
        async with self._starting:
            if sidecar.site not in self._apps:
                module = await asyncio.to_thread(importlib.import_module, "pincite_server.http.mcp.server")
                running = asyncio.get_running_loop().create_future()
                self._tasks.append(asyncio.create_task(self._run(module.session_manager(sidecar), running)))
                self._apps[sidecar.site] = await running
            return self._apps[sidecar.site]

    async def _run(self, manager: Any, running: "asyncio.Future[ASGIApp]") -> None:
        async with manager.run():
            running.set_result(manager.handle_request)
            await self._closing.wait()
