"""Access control: the access token, CORS origins, host names, and the security headers of every response.

API replies are not compressed here. A reply mixes docs of a private site with words that the reader chooses, so its
compressed length could reveal the docs (BREACH). An event must not wait to fill a compression block, and a whole answer
is only a few kilobytes. A proxy may still compress.
"""

import hashlib
import hmac
import ipaddress
from typing import Any

from litestar import Request
from litestar.config.cors import CORSConfig
from litestar.connection import ASGIConnection
from litestar.datastructures import Headers, MutableScopeHeaders
from litestar.enums import ScopeType
from litestar.handlers import BaseRouteHandler
from litestar.types import ASGIApp, Guard, Message, Receive, Scope, Send

from pincite_server.http.admission.session_tokens import READER_HEADER
from pincite_server.http.transport.connections import REQUEST_ID_HEADER
from pincite_server.http.transport.problems import Problem, problem
from pincite_server.settings import Settings

__all__ = ("THIS_MACHINE", "HostAllowList", "access_guards", "add_security_headers", "cors_config")

THIS_MACHINE = ("localhost", "127.0.0.1", "[::1]")
"""The host names that a client on this machine uses."""

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
    """Return the CORS allow-list; None (no CORS headers) if only the same origin is allowed."""
    if not settings.cors_origins:
        return None
    return CORSConfig(
        allow_origins=list(settings.cors_origins),
        allow_methods=["GET", "POST"],
        allow_headers=_SENT_HEADERS,
        expose_headers=_EXPOSED_HEADERS,
    )


def access_guards(settings: Settings) -> list[Guard]:
    """Return the guard that requires the access token; an empty list if no token is set."""
    if settings.token is None:
        return []
    expected = hashlib.sha256(settings.token.encode()).digest()

    def demand_token(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
        scheme, _blank, token = connection.headers.get("authorization", "").partition(" ")
        given = hashlib.sha256(token.strip(" ").encode("latin-1")).digest()
        # A constant-time comparison of digests of equal length reveals nothing about the token.
        if not hmac.compare_digest(given, expected) or scheme.lower() != "bearer":
            raise Problem("unauthorized", headers={"WWW-Authenticate": "Bearer"})

    return [demand_token]


async def add_security_headers(message: Message, _: Scope) -> None:
    """Set the security headers on every response; Litestar calls this hook before it sends."""
    if message["type"] == "http.response.start":
        MutableScopeHeaders.from_message(message).update(_SECURITY_HEADERS)


class HostAllowList:
    """ASGI middleware that rejects requests for a host name that is not configured, with `unknown_host`.

    This prevents DNS rebinding: a web page's name suddenly resolves to an address in the reader's network, and the page
    could read any reply. The browser still sends the page's name as `Host`. IP addresses are accepted, because they
    cannot be rebound and health probes use them; so is `localhost`. Without configured names, a sidecar that listens on
    this machine alone, the usual victim, accepts no other name. A sidecar on a network address then accepts all names,
    since it is usually public.
    """

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._names = frozenset(name.lower().removesuffix(".") for name in settings.host_names)
        address = _address(settings.host)
        is_loopback = settings.host == "localhost" or (address is not None and address.is_loopback)
        self._takes_any = "*" in self._names or not (self._names or is_loopback)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle or reject a request. Browsers always send `Host`, so a request without it passes."""
        is_http = scope["type"] == ScopeType.HTTP
        if (
            is_http
            and not self._takes_any
            and not all(map(self._is_known, Headers.from_scope(scope).getall("host", [])))
        ):
            request = Request[Any, Any, Any](scope, receive, send)
            refusal = problem(request, Problem("unknown_host", headers={"Connection": "close"}))
            await refusal.to_asgi_response(None, request)(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _is_known(self, host: str) -> bool:
        name = host if host.endswith("]") else host.rpartition(":")[0] or host
        name = name.lower().removesuffix(".")
        return name in self._names or name == "localhost" or _address(name.strip("[]")) is not None


def _address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(text)
    except ValueError:
        return None
