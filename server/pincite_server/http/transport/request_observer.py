"""Outermost middleware: sets a request id, records metrics, and logs each request without its text."""

import logging
import re
import time
from http import HTTPMethod, HTTPStatus
from uuid import uuid4

from litestar.datastructures import Headers, MutableScopeHeaders
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from pincite_server.observe.logs import request_id
from pincite_server.observe.metrics import Metrics

__all__ = ("REQUEST_ID_HEADER", "RequestObserver")

logger = logging.getLogger("pincite.requests")

REQUEST_ID_HEADER = "X-Request-Id"
_GIVEN_ID = re.compile(r"[A-Za-z0-9_-]{8,64}")  # a proxy's id is kept; other values could forge log lines
_NO_REPLY = 499  # what proxies log when the client left before there was a status


class RequestObserver:
    """ASGI middleware around the whole application."""

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
