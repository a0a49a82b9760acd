"""The rate limits of readers and addresses, and the middleware that enforces them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from litestar import Request
from litestar.datastructures import MutableScopeHeaders
from litestar.enums import ScopeType
from litestar.exceptions import TooManyRequestsException
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Message, Middleware, Receive, Scope, Send

from pincite_server.federation.choose_site import SITE_KEY
from pincite_server.http.admission.limits import Limit, Standing
from pincite_server.http.admission.readers import is_new, reader_name
from pincite_server.http.admission.shared_limit import SharedLimit
from pincite_server.http.transport.addresses import address_of
from pincite_server.settings import Settings
from pincite_server.state.link import StateLink

__all__ = ("Limits", "lookup_limits", "question_limits")

AnyRequest = Request[Any, Any, Any]


@dataclass(frozen=True, slots=True)
class Limits:
    """The rate limits of a server or of one of its sites; a limit that is not set is None.

    Clients without a session token share a limit per address. Otherwise a reader could avoid the limit by dropping the
    token.

    Attributes:
        reader: Questions of one reader.
        newcomers: Questions from one address without a session token.
        address: Requests from one address, to all sites together.
        sites: The limits of sites and groups with their own limits, by name.
    """

    reader: SharedLimit | None
    newcomers: SharedLimit | None
    address: SharedLimit | None
    sites: Mapping[str, "Limits"] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, settings: Settings, link: StateLink | None, of_sites: Mapping[str, int]) -> "Limits":
        """Return the limits in the settings; sidecars with a shared state count together.

        Args:
            settings: The general limits.
            link: The shared state; None for a single sidecar.
            of_sites: Questions a minute for each site or group with its own limit, by name.
        """

        def limit(name: str, most: int) -> SharedLimit | None:
            return SharedLimit(Limit(most), name, link, settings.reader_secret) if most else None

        def limits(rate: int, suffix: str = "") -> Limits:
            return Limits(limit(f"reader{suffix}", rate), limit(f"newcomers{suffix}", rate), address, sites)

        address, sites = limit("address", settings.address_limit), dict[str, Limits]()
        sites.update((name, limits(rate, f":{name}")) for name, rate in of_sites.items())
        return limits(settings.rate_limit)

    def of_site(self, name: str) -> "Limits":
        """Return the limits of a site or group; these limits if it has no limits of its own."""
        return self.sites.get(name, self)

    async def admit(self, request: AnyRequest) -> None:
        """Count a question against the limits of readers and anonymous clients; only on routes with `ReaderMiddleware`.

        Raises:
            TooManyRequestsException: A limit is reached.
        """
        for limit, key in ((self.reader, reader_name(request)), (self.newcomers, _newcomers_address(request))):
            if limit is not None and key is not None and not (standing := await limit.take(key)).allowed:
                raise TooManyRequestsException(headers=standing.headers)

    async def seconds_to_wait(self, request: AnyRequest) -> int:
        """Count a question outside the chat route; return the seconds to wait, 0 if it may be answered."""
        standing = await self.newcomers.take(address_of(request)) if self.newcomers is not None else None
        return 0 if standing is None or standing.allowed else standing.reset


def question_limits() -> list[Middleware]:
    """Return the middleware of routes that answer questions, outermost first; it must run after `ReaderMiddleware`."""
    newcomers = _Limited(lambda limits: limits.newcomers, _newcomers_address)
    return [_Limited(lambda limits: limits.reader, reader_name), newcomers, *lookup_limits()]


def lookup_limits() -> list[Middleware]:
    """Return the middleware of lookup routes."""
    return [_Limited(lambda limits: limits.address, address_of)]


def _newcomers_address(request: AnyRequest) -> str | None:
    return address_of(request) if is_new(request) else None


class _Limited(ASGIMiddleware):
    """Middleware that enforces one rate limit and sends the `RateLimit` headers.

    It reads the limit at each request, because Litestar copies middleware, with its attributes, for each route.
    """

    scopes = (ScopeType.HTTP,)

    def __init__(self, choose: Callable[[Limits], SharedLimit | None], key: Callable[[AnyRequest], str | None]) -> None:
        self._choose = choose
        self._key = key

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        limits: Limits = scope["litestar_app"].state.sidecar.limits
        limit = self._choose(limits.of_site(str(scope.get(SITE_KEY, ""))))
        key = None if limit is None else self._key(Request(scope))
        if limit is None or key is None:
            await next_app(scope, receive, send)
            return
        standing = await limit.take(key)
        if not standing.allowed:
            raise TooManyRequestsException(headers=standing.headers)
        await next_app(scope, receive, _telling(standing, send))


def _telling(standing: Standing, send: Send) -> Send:
    async def send_with_standing(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableScopeHeaders.from_message(message)
            for name, value in standing.headers.items():
                headers[name] = value
        await send(message)

    return send_with_standing
