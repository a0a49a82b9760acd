"""Builds the ASGI application from routes, limits, error handlers and headers."""

import asyncio
import ctypes
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from litestar import Litestar, Request, Router
from litestar.datastructures import ResponseHeader
from litestar.di import Provide
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Components, SecurityScheme
from litestar.plugins import PluginProtocol
from litestar.plugins.core import MsgspecDIPlugin
from litestar.types import ControllerRouterHandler

from pincite_core.errors import IndexAwaitedError
from pincite_core.index.schema import INDEX_FOLDER, SEARCH_FOLDER, SEARCH_MANIFEST_NAME
from pincite_core.version import __version__
from pincite_server.federation.choose_site import SiteNames, SiteRouter, parse_groups, parse_rate_limits
from pincite_server.http.admission.fair_worker import ClientMiddleware
from pincite_server.http.admission.rate_limits import RateLimitMiddleware
from pincite_server.http.admission.security import HostAllowList, access_guards, add_security_headers, cors_config
from pincite_server.http.admission.session_tokens import ReaderMiddleware, SessionTokens
from pincite_server.http.mcp.route import McpRoute
from pincite_server.http.routes.chat import chat, feedback, query_selected_text
from pincite_server.http.routes.lookups import follow, questions, resolve, search
from pincite_server.http.routes.status import health, metrics, ready, stream_check
from pincite_server.http.sidecar import Sidecar
from pincite_server.http.site_files import widget_tag
from pincite_server.http.static_site import StaticSite, site_handler, warn_of_hidden_pages
from pincite_server.http.transport.addresses import ReaderAddress, TrustedProxies
from pincite_server.http.transport.body import MAX_BODY_BYTES
from pincite_server.http.transport.connections import BodyDeadline, InPieces, RequestObserver
from pincite_server.http.transport.problems import exception_handlers
from pincite_server.indexes.live_indexes import BuildSource, LiveIndexes
from pincite_server.indexes.registry import IndexSet
from pincite_server.llm.llm_settings import LlmSettings
from pincite_server.settings import Settings

__all__ = ("create_app", "create_federated_app", "return_free_memory")

_TRIM_SECONDS = 30.0  # between releases of free memory, each of which takes some milliseconds on a thread
_NOT_STORED = [ResponseHeader(name="Cache-Control", value="no-store")]


class _Application(Litestar):
    """Litestar with only its msgspec plugin.

    Litestar would also import pydantic and attrs, because the MCP SDK installs them. That costs a fifth of a second and
    8 MB at each start, and no route uses their types.
    """

    @staticmethod
    def _get_default_plugins(plugins: list[PluginProtocol]) -> list[PluginProtocol]:
        return [*plugins, MsgspecDIPlugin()]


def create_app(
    settings: Settings, indexes: IndexSet | None, source: BuildSource | None = None, llm: LlmSettings | None = None
) -> Litestar:
    """Return the application that answers from `indexes` and reloads them when `source` changes.

    Without indexes it reports that it waits for them. Without a language model (`llm`) it answers with quotes alone.

    Raises:
        IndexAwaitedError: The site is to be served too, but the index that stores its base path is missing.
    """
    return _application(Sidecar.build(settings, LiveIndexes(indexes, source), llm, None), indexes)


def create_federated_app(
    settings: Settings, sites: Mapping[str, LiveIndexes], llm: LlmSettings | None = None
) -> Litestar:
    """Return the application that serves several sites, chosen by name, by page or by the groups in `settings`.

    Raises:
        InputError: A group or a site's rate limit in `settings` is invalid.
    """
    groups = parse_groups(settings.site_groups, sites)
    router = SiteRouter(sites, groups, parse_rate_limits(settings.site_rate_limits, (*sites, *groups)))
    app = _application(Sidecar.build(settings, next(iter(sites.values())), llm, router), None)
    app.asgi_handler = SiteNames(app.asgi_handler, [*sites, *groups])
    return app


def _application(sidecar: Sidecar, indexes: IndexSet | None) -> Litestar:
    settings, mcp = sidecar.settings, McpRoute()

    def of_request(request: Request[Any, Any, Any]) -> Sidecar:
        return sidecar.of_request(request.scope)

    app = _Application(
        route_handlers=[*_api(settings, mcp), *_site(settings, indexes)],
        dependencies={"sidecar": Provide(of_request, sync_to_thread=False)},
        exception_handlers=exception_handlers,
        request_max_body_size=MAX_BODY_BYTES,
        cors_config=cors_config(settings),
        before_send=[add_security_headers],
        openapi_config=_openapi_config(),
        lifespan=[_lifespan],
        on_shutdown=[mcp.close],
        logging_config=None,
    )
    app.state.sidecar = sidecar
    known_host = HostAllowList(BodyDeadline(app.asgi_handler, settings.request_seconds), settings)
    observed = RequestObserver(InPieces(known_host), sidecar.metrics)  # counts unknown routes too
    app.asgi_handler = ReaderAddress(observed, TrustedProxies.parse(settings.trusted_proxies))
    if settings.site is not None and indexes is not None:
        warn_of_hidden_pages(app, indexes.served)
    return app


def _openapi_config() -> OpenAPIConfig:
    token = SecurityScheme(type="http", scheme="bearer", description="Only for sites whose docs are private.")
    return OpenAPIConfig(
        title="Pincite",
        version=__version__,
        path="/schema",
        description="Answers about a documentation site, each claim with a citation of the exact place.",
        render_plugins=[JsonRenderPlugin(path="/openapi.json")],  # the other plugins load scripts from third parties
        components=Components(security_schemes={"token": token}),
    )


def _api(settings: Settings, mcp: McpRoute) -> list[ControllerRouterHandler]:
    """Return the routes of the API. All but health and readiness are behind the token.

    The metrics route is on the public port only with a token, and without a metrics port.
    """
    guards, tokens = access_guards(settings), SessionTokens(settings.reader_secret, settings.reader_secret_previous)
    routers: list[ControllerRouterHandler] = [
        Router(
            "/",
            route_handlers=[chat, query_selected_text],
            guards=guards,
            middleware=[
                ReaderMiddleware(tokens),
                RateLimitMiddleware(is_question=True),
                ClientMiddleware(tokens, "question"),
            ],
            response_headers=_NOT_STORED,
        ),
        Router(
            "/",
            route_handlers=[search, questions, resolve, feedback, follow, stream_check, mcp.handler()],
            guards=guards,
            middleware=[RateLimitMiddleware(is_question=False), ClientMiddleware(tokens, "lookup")],
            response_headers=_NOT_STORED,
        ),
        health,
        ready,
    ]
    if settings.token is not None and settings.metrics_port is None:
        routers.append(Router("/", route_handlers=[metrics], guards=guards, response_headers=_NOT_STORED))
    return routers


def _site(settings: Settings, indexes: IndexSet | None) -> list[ControllerRouterHandler]:
    if settings.site is None:
        return []
    if indexes is None:
        message = "The site's index, which holds the site's base path, does not exist yet. Start again when it does."
        raise IndexAwaitedError(message)
    info = indexes.default.answerer.index.info
    search = (settings.site / INDEX_FOLDER / SEARCH_FOLDER / SEARCH_MANIFEST_NAME).is_file()
    widget = widget_tag(info.base_url, info.title, search=search) if settings.widget else b""
    return [site_handler(StaticSite(settings.site, info.base_url), widget)]


@asynccontextmanager
async def _lifespan(app: Litestar) -> AsyncIterator[None]:
    sidecar: Sidecar = app.state.sidecar
    if sidecar.state is not None:
        await sidecar.state.open()
    polls = (live.follow(sidecar.settings.poll_seconds) for live in sidecar.lives)
    tasks = [asyncio.create_task(task) for task in (*polls, return_free_memory())]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if sidecar.model is not None:
            await sidecar.model.aclose()
        if sidecar.state is not None:
            await sidecar.state.close()
        sidecar.worker.close()


async def return_free_memory() -> None:
    """Return freed heap memory to the system every 30 seconds; return at once without glibc (musl, macOS, Windows).

    glibc keeps free memory that lies below memory in use. `malloc_trim(3)` releases the whole pages of such memory.
    """
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    while trim is not None:
        await asyncio.sleep(_TRIM_SECONDS)
        await asyncio.to_thread(trim, 0)
