"""Builds the ASGI application from routes, limits, error handlers and headers."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from litestar import Litestar, Request, Router
from litestar.datastructures import ResponseHeader
from litestar.di import Provide
from litestar.plugins import PluginProtocol
from litestar.plugins.core import MsgspecDIPlugin
from litestar.types import ControllerRouterHandler

from pincite_core.errors import IndexAwaitedError
from pincite_core.index.schema import INDEX_FOLDER, SEARCH_FOLDER, SEARCH_MANIFEST_NAME
from pincite_server.federation.choose_site import SiteNames, SiteRouter, parse_groups, parse_rate_limits
from pincite_server.http.admission.clients import ClientMiddleware
from pincite_server.http.admission.limiting import lookup_limits, question_limits
from pincite_server.http.admission.readers import ReaderMiddleware, ReaderPasses
from pincite_server.http.admission.security import HostAllowList, access_guards, add_security_headers, cors_config
from pincite_server.http.mcp.route import AgentDoor, mcp_route
from pincite_server.http.routes.chat import chat, feedback
from pincite_server.http.routes.lookups import follow, questions, resolve, search
from pincite_server.http.routes.selected_text import query_selected_text
from pincite_server.http.routes.status import health, metrics, ready, stream_check
from pincite_server.http.sidecar import Sidecar
from pincite_server.http.spare_memory import give_back_memory
from pincite_server.http.static_site import SITE_ROUTE, StaticSite, site_handler, warn_of_hidden_pages, widget_tag
from pincite_server.http.transport.addresses import ReaderAddress, TrustedProxies
from pincite_server.http.transport.body import MAX_BODY_BYTES
from pincite_server.http.transport.connections import BodyDeadline, InPieces
from pincite_server.http.transport.openapi import openapi_config
from pincite_server.http.transport.problems import exception_handlers
from pincite_server.http.transport.request_observer import RequestObserver
from pincite_server.indexes.live_indexes import BuildSource, LiveIndexes
from pincite_server.indexes.registry import IndexSet
from pincite_server.llm.llm_settings import LlmSettings
from pincite_server.settings import Settings

__all__ = ("create_app", "create_federated_app")

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
    return _application(Sidecar.build(settings, LiveIndexes(indexes, source), llm), indexes)


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
    settings, door = sidecar.settings, AgentDoor()

    def of_request(request: Request[Any, Any, Any]) -> Sidecar:
        return sidecar.of_request(request.scope)

    app = _Application(
        route_handlers=[*_api(settings, door), health, ready, *_metrics(settings), *_site(settings, indexes)],
        dependencies={"sidecar": Provide(of_request, sync_to_thread=False)},
        exception_handlers=exception_handlers,
        request_max_body_size=MAX_BODY_BYTES,
        cors_config=cors_config(settings),
        before_send=[add_security_headers],
        openapi_config=openapi_config(),
        lifespan=[_lifespan],
        on_shutdown=[door.close],
        logging_config=None,
    )
    app.state.sidecar = sidecar
    called_by_name = HostAllowList(BodyDeadline(app.asgi_handler, settings.request_seconds), settings)
    observed = RequestObserver(InPieces(called_by_name), sidecar.metrics)  # counts unknown routes too
    app.asgi_handler = ReaderAddress(observed, TrustedProxies.parse(settings.trusted_proxies))
    if settings.site is not None and indexes is not None:
        warn_of_hidden_pages(app, SITE_ROUTE, indexes.served)
    return app


def _api(settings: Settings, door: AgentDoor) -> list[ControllerRouterHandler]:
    """Return the routes behind the token. Routes that answer questions also have the per-reader rate limits."""
    guards, passes = access_guards(settings), ReaderPasses(settings.reader_secret, settings.reader_secret_previous)
    return [
        Router(
            "/",
            route_handlers=[chat, query_selected_text],
            guards=guards,
            middleware=[ReaderMiddleware(passes), *question_limits(), ClientMiddleware(passes, "question")],
            response_headers=_NOT_STORED,
        ),
        Router(
            "/",
            route_handlers=[search, questions, resolve, feedback, follow, stream_check, mcp_route(door)],
            guards=guards,
            middleware=[*lookup_limits(), ClientMiddleware(passes, "lookup")],
            response_headers=_NOT_STORED,
        ),
    ]


def _metrics(settings: Settings) -> list[ControllerRouterHandler]:
    """Return the metrics route if it may be on the public port: with a token, and without a metrics port."""
    if settings.token is None or settings.metrics_port is not None:
        return []
    return [Router("/", route_handlers=[metrics], guards=access_guards(settings), response_headers=_NOT_STORED)]


def _site(settings: Settings, indexes: IndexSet | None) -> list[ControllerRouterHandler]:
    if settings.site is None:
        return []
    if indexes is None:
        message = "The site's base path stands in its index, which is not there yet. Start again when it is."
        raise IndexAwaitedError(message)
    info = indexes.default.answerer.index.info
    search = (settings.site / INDEX_FOLDER / SEARCH_FOLDER / SEARCH_MANIFEST_NAME).is_file()
    widget = widget_tag(info.base_url, info.title, search=search) if settings.widget else b""
    return [site_handler(StaticSite(settings.site, info.base_url, widget))]


@asynccontextmanager
async def _lifespan(app: Litestar) -> AsyncIterator[None]:
    sidecar: Sidecar = app.state.sidecar
    if sidecar.state is not None:
        await sidecar.state.open()
    looks = (live.follow(sidecar.settings.poll_seconds) for live in sidecar.lives)
    chores = [asyncio.create_task(chore) for chore in (*looks, give_back_memory())]
    try:
        yield
    finally:
        for chore in chores:
            chore.cancel()
        await asyncio.gather(*chores, return_exceptions=True)
        if sidecar.model is not None:
            await sidecar.model.aclose()
        if sidecar.state is not None:
            await sidecar.state.close()
        sidecar.worker.close()
