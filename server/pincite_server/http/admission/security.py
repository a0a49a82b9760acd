"""Who may ask: the access token, the origins, the hosts' names, and the headers that every response carries.

Replies of the API are not compressed here. A reply that holds both the docs of a private site and words of the reader's
choice would tell of the first by its length (BREACH), an event must not wait for the next to be worth a block, and a
whole answer is a few kilobytes. A proxy may still do it.
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

from pincite_server.http.admission.readers import READER_HEADER
from pincite_server.http.transport.problems import Problem, problem
from pincite_server.http.transport.request_observer import REQUEST_ID_HEADER
from pincite_server.settings import Settings

__all__ = ("THIS_MACHINE", "HostAllowList", "access_guards", "add_security_headers", "cors_config")

THIS_MACHINE = ("localhost", "127.0.0.1", "[::1]")
"""What a client on this machine calls it."""

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
    expected = hashlib.sha256(settings.token.encode()).digest()

    def demand_token(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
        scheme, _blank, token = connection.headers.get("authorization", "").partition(" ")
        given = hashlib.sha256(token.strip(" ").encode("latin-1")).digest()
        # Constant time, of digests of one length: the comparison tells nothing of the token.
        if not hmac.compare_digest(given, expected) or scheme.lower() != "bearer":
            raise Problem("unauthorized", headers={"WWW-Authenticate": "Bearer"})

    return [demand_token]


async def add_security_headers(message: Message, _: Scope) -> None:
    """Put the headers on a response of any kind; a hook that Litestar calls before it sends."""
    if message["type"] == "http.response.start":
        headers = MutableScopeHeaders.from_message(message)
        for name, value in _SECURITY_HEADERS.items():
            headers[name] = value


class HostAllowList:
    """Wraps the application: a request that calls the sidecar by a name that it was not told is `unknown_host`.

    This is against DNS rebinding: a web page whose own name suddenly means an address in the reader's network could
    read there what it likes, but the browser still sends that name as `Host`. An IP address passes, because it cannot
    be rebound (probes come by it), and so does `localhost`. A sidecar on this machine alone is the usual victim, and
    lets in no other name unasked; one that listens to a network is as a rule meant to be found.
    """

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._names = frozenset(name.lower().removesuffix(".") for name in settings.host_names)
        self._takes_any = "*" in self._names or not (self._names or _is_loopback(settings.host))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request through, or refuse it."""
        if scope["type"] != ScopeType.HTTP or self._takes(Headers.from_scope(scope).getall("host", [])):
            await self._app(scope, receive, send)
            return
        request = Request[Any, Any, Any](scope, receive, send)
        refusal = problem(request, Problem("unknown_host", headers={"Connection": "close"}))
        await refusal.to_asgi_response(None, request)(scope, receive, send)

    def _takes(self, hosts: list[str]) -> bool:
        """Return whether all that a request names may be: nothing at all is no browser's request."""
        return self._takes_any or all(self._is_known(host) for host in hosts)

    def _is_known(self, host: str) -> bool:
        name = host if host.endswith("]") else host.rpartition(":")[0] or host
        name = name.lower().removesuffix(".")
        return name in self._names or name == "localhost" or _address(name.strip("[]")) is not None


def _is_loopback(host: str) -> bool:
    address = _address(host)
    return host == "localhost" or (address is not None and address.is_loopback)


def _address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(text)
    except ValueError:
        return None
