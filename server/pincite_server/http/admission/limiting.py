"""How much a reader and an address may ask: the limits of a server, and the middleware that holds requests to them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self

from litestar import Request
from litestar.datastructures import MutableScopeHeaders
from litestar.enums import ScopeType
from litestar.exceptions import TooManyRequestsException
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Message, Middleware, Receive, Scope, Send

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
    """The limits of one server, None where there is none: of a reader, of an address's newcomers, of an address.

    Newcomers have no pass yet. Without a limit for all those of an address together, dropping the pass would lift it.
    """

    reader: SharedLimit | None
    newcomers: SharedLimit | None
    address: SharedLimit | None

    @classmethod
    def of(cls, settings: Settings, link: StateLink | None = None) -> Self:
        """Return the limits that are set, of all sidecars together where they share a state."""

        def limit(name: str, most: int) -> SharedLimit | None:
            return SharedLimit(Limit(most), name, link, settings.reader_secret) if most else None

        rate = settings.rate_limit
        return cls(limit("reader", rate), limit("newcomers", rate), limit("address", settings.address_limit))

    async def seconds_to_wait(self, request: AnyRequest) -> int:
        """Count a question that comes by another way than the chat's; return 0 when it may be answered."""
        standing = await self.newcomers.take(address_of(request)) if self.newcomers is not None else None
        return 0 if standing is None or standing.allowed else standing.reset


def question_limits() -> list[Middleware]:
    """Return the middleware of routes that answer questions, outermost first; behind `ReaderMiddleware`."""
    newcomers = _Limited(lambda limits: limits.newcomers, _newcomers_address)
    return [_Limited(lambda limits: limits.reader, reader_name), newcomers, *lookup_limits()]


def lookup_limits() -> list[Middleware]:
    """Return the middleware of routes that only look something up."""
    return [_Limited(lambda limits: limits.address, address_of)]


def _newcomers_address(request: AnyRequest) -> str | None:
    return address_of(request) if is_new(request) else None


class _Limited(ASGIMiddleware):
    """Lets requests through as far as a limit of the sidecar allows, and tells where their key stands.

    The limit is looked up at each request: Litestar copies middleware for each route, and with it what it holds.
    """

    scopes = (ScopeType.HTTP,)

    def __init__(self, choose: Callable[[Limits], SharedLimit | None], key: Callable[[AnyRequest], str | None]) -> None:
        self._choose = choose
        self._key = key

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        limit = self._choose(scope["litestar_app"].state.sidecar.limits)
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
