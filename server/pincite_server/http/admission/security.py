"""Who may ask: the access token, the origins, and the headers that every response carries."""

import hmac
from typing import Any

from litestar.config.cors import CORSConfig
from litestar.connection import ASGIConnection
from litestar.datastructures import MutableScopeHeaders
from litestar.handlers import BaseRouteHandler
from litestar.types import Guard, Message, Scope

from pincite_server.http.admission.readers import READER_HEADER
from pincite_server.http.transport.problems import Problem
from pincite_server.http.transport.request_observer import REQUEST_ID_HEADER
from pincite_server.settings import Settings

__all__ = ("access_guards", "add_security_headers", "cors_config")

_SECURITY_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "strict-origin-when-cross-origin",
}
_SENT_HEADERS = ["Accept", "Authorization", "Content-Type", READER_HEADER]
_EXPOSED_HEADERS = [
    READER_HEADER,
    REQUEST_ID_HEADER,
    "Retry-After",
    "RateLimit-Limit",
    "RateLimit-Remaining",
    "RateLimit-Reset",
]


def cors_config(settings: Settings) -> CORSConfig | None:
    """Return the allow-list; None (no CORS header at all) when only the same origin may ask."""
    if not settings.cors_origins:
        return None
    return CORSConfig(
        allow_origins=list(settings.cors_origins),
        allow_methods=["GET", "POST"],
        allow_headers=_SENT_HEADERS,
        expose_headers=_EXPOSED_HEADERS,
    )


def access_guards(settings: Settings) -> list[Guard]:
    """Return the guard that demands the access token; none when there is no token."""
    if settings.token is None:
        return []
    expected = f"Bearer {settings.token}".encode()

    def demand_token(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
        given = connection.headers.get("authorization", "").encode()
        if not hmac.compare_digest(given, expected):  # constant time: the comparison tells nothing of the token
            raise Problem("unauthorized", headers={"WWW-Authenticate": "Bearer"})

    return [demand_token]


async def add_security_headers(message: Message, _: Scope) -> None:
    """Put the headers on a response of any kind; a hook that Litestar calls before it sends."""
    if message["type"] == "http.response.start":
        headers = MutableScopeHeaders.from_message(message)
        for name, value in _SECURITY_HEADERS.items():
            headers[name] = value
