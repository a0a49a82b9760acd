"""How much a reader and an address may ask: so many requests in a minute, by a clock that nobody sets."""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

from litestar import Request
from litestar.datastructures import MutableScopeHeaders
from litestar.enums import ScopeType
from litestar.exceptions import TooManyRequestsException
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Message, Middleware, Receive, Scope, Send

from pincite_server.http.admission.readers import is_new, reader_pass
from pincite_server.http.transport.addresses import address_of
from pincite_server.settings import Settings

__all__ = ("WINDOW_SECONDS", "Limit", "Limits", "Standing", "lookup_limits", "question_limits")

WINDOW_SECONDS = 60
_MOST_KEYS = 100_000  # some 20 MB; who sends from more addresses within a minute is not held by counting them

AnyRequest = Request[Any, Any, Any]


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a key stands after a request: how many are left, and in how many seconds, 1 to 60, all are there again."""

    allowed: bool
    most: int
    remaining: int
    reset: int

    @property
    def headers(self) -> dict[str, str]:
        """The same for a client (IETF draft on RateLimit header fields)."""
        return {
            "RateLimit-Policy": f"{self.most}; w={WINDOW_SECONDS}",
            "RateLimit-Limit": str(self.most),
            "RateLimit-Remaining": str(self.remaining),
            "RateLimit-Reset": str(self.reset),
        }


class _Window(NamedTuple):
    start: float
    taken: int


class Limit:
    """Lets in so many requests of a key in a minute, which begins with the first. Belongs to the event loop.

    Args:
        most: How many.
        clock: Seconds since whenever. The default is not the time of day, which is corrected and put back.
        most_keys: How many keys are known at a time; the one known longest is forgotten for another.
    """

    def __init__(self, most: int, clock: Callable[[], float] = time.monotonic, most_keys: int = _MOST_KEYS) -> None:
        self._most = most
        self._most_keys = most_keys
        self._clock = clock
        self._windows: dict[str, _Window] = {}
        self._swept = clock()

    def __len__(self) -> int:
        return len(self._windows)

    def take(self, key: str) -> Standing:
        """Count a request of a key, if it may be let in."""
        now = self._clock()
        self._sweep(now)
        window = self._windows.get(key)
        if window is None or not _is_open(window.start, now):
            window = _Window(now, 0)
        allowed = window.taken < self._most
        if allowed:
            if len(self._windows) >= self._most_keys and key not in self._windows:
                del self._windows[next(iter(self._windows))]
            window = self._windows[key] = window._replace(taken=window.taken + 1)
        reset = max(1, math.ceil(window.start + WINDOW_SECONDS - now))
        return Standing(allowed, self._most, self._most - window.taken, min(reset, WINDOW_SECONDS))

    def _sweep(self, now: float) -> None:
        """Forget once a minute whose minute is over."""
        if not _is_open(self._swept, now):
            self._windows = {key: one for key, one in self._windows.items() if _is_open(one.start, now)}
            self._swept = now


def _is_open(start: float, now: float) -> bool:
    return start <= now < start + WINDOW_SECONDS


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one server, None where there is none: of a reader, of an address's newcomers, of an address.

    Newcomers have no pass yet. Without a limit for all those of an address together, dropping the pass would lift it.
    """

    reader: Limit | None
    newcomers: Limit | None
    address: Limit | None

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """Return the limits that are set."""
        rate, address = settings.rate_limit, settings.address_limit
        return cls(Limit(rate) if rate else None, Limit(rate) if rate else None, Limit(address) if address else None)

    def seconds_to_wait(self, request: AnyRequest) -> int:
        """Count a question that comes by another way than the chat's; return 0 when it may be answered."""
        standing = self.newcomers.take(address_of(request)) if self.newcomers is not None else None
        return 0 if standing is None or standing.allowed else standing.reset


def question_limits() -> list[Middleware]:
    """Return the middleware of routes that answer questions, outermost first; behind `ReaderMiddleware`."""
    newcomers = _Limited(lambda limits: limits.newcomers, _newcomers_address)
    return [_Limited(lambda limits: limits.reader, reader_pass), newcomers, *lookup_limits()]


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

    def __init__(self, choose: Callable[[Limits], Limit | None], key: Callable[[AnyRequest], str | None]) -> None:
        self._choose = choose
        self._key = key

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        limit = self._choose(scope["litestar_app"].state.sidecar.limits)
        key = None if limit is None else self._key(Request(scope))
        if limit is None or key is None:
            await next_app(scope, receive, send)
            return
        standing = limit.take(key)
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
