"""Rate limits of readers and addresses: fixed windows, counted in the process or in the shared state."""

import hashlib
import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Self

from litestar import Request
from litestar.enums import ScopeType
from litestar.exceptions import TooManyRequestsException
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Receive, Scope, Send

from pincite_server.federation.choose_site import SITE_KEY
from pincite_server.http.admission.session_tokens import is_anonymous, reader_name
from pincite_server.http.transport.addresses import address_of
from pincite_server.http.transport.connections import with_headers
from pincite_server.settings import Settings
from pincite_server.state.link import KEYS, StateAwayError, StateLink

__all__ = ("WINDOW_SECONDS", "Limits", "Quota", "RateLimit", "RateLimitMiddleware")

AnyRequest = Request[Any, Any, Any]

WINDOW_SECONDS = 60
_MOST_KEYS = 100_000  # some 20 MB; a client with more addresses a minute cannot be limited by address anyway
_MILLISECONDS = 1000
_LONGEST_SECRET = 64  # bytes; the longest key of BLAKE2


@dataclass(frozen=True, slots=True)
class Quota:
    """The state of a key after a request: the requests left, and the seconds (1 to 60) until the window ends."""

    allowed: bool
    most: int
    remaining: int
    reset: int

    @classmethod
    def of(cls, most: int, taken: int, seconds_left: float, *, allowed: bool) -> Self:
        """Return the state of a key with `taken` allowed requests in a window that ends in `seconds_left`."""
        reset = min(max(1, math.ceil(seconds_left)), WINDOW_SECONDS)
        return cls(allowed, most, max(0, most - taken), reset)

    @property
    def headers(self) -> dict[str, str]:
        """The state as response headers (IETF draft on RateLimit header fields)."""
        return {
            "RateLimit-Policy": f"{self.most}; w={WINDOW_SECONDS}",
            "RateLimit-Limit": str(self.most),
            "RateLimit-Remaining": str(self.remaining),
            "RateLimit-Reset": str(self.reset),
        }


class _Window(NamedTuple):
    start: float
    taken: int


_TAKE = b"""
local most, window = tonumber(ARGV[1]), tonumber(ARGV[2])
local taken = tonumber(redis.call('GET', KEYS[1]) or '0')
local allowed = taken < most
if allowed then taken = redis.call('INCR', KEYS[1]) end
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  redis.call('PEXPIRE', KEYS[1], window)
  left = window
end
return {allowed and 1 or 0, taken, left}
"""
"""Lua script that counts a request if it is allowed, as `RateLimit.take_locally` does, in one atomic step."""


class RateLimit:
    """Fixed-window rate limiter: `most` requests per key and minute. A key's minute begins with its first request.

    Requests are counted locally and, with a `link`, in the shared state. The local count applies while the shared state
    is unreachable, so a client gets no new quota then. The clock, in seconds, is monotonic by default, since the time
    of day may be set back. Beyond `most_keys`, the oldest key is dropped. Use it from the event loop alone.
    """

    def __init__(
        self,
        most: int,
        name: str = "",
        link: StateLink | None = None,
        secret: bytes = b"",
        *,
        clock: Callable[[], float] = time.monotonic,
        most_keys: int = _MOST_KEYS,
    ) -> None:
        self._most = most
        self._name = name
        self._link = link
        self._script = link.client.register_script(_TAKE) if link is not None else None
        self._secret = secret[:_LONGEST_SECRET]  # keys the hashes, so that stored names identify nobody
        self._clock = clock
        self._most_keys = most_keys
        self._windows: dict[str, _Window] = {}
        self._swept = clock()

    def __len__(self) -> int:
        return len(self._windows)

    async def take(self, key: str) -> Quota:
        """Count one request for a client's key if the limit allows it, and return the state of the key."""
        here = self.take_locally(key)
        link, script = self._link, self._script
        if link is None or script is None:
            return here
        digest = hashlib.blake2b(key.encode(), key=self._secret, digest_size=16).hexdigest()
        keys, arguments = [f"{KEYS}limit:{self._name}:{digest}"], [self._most, WINDOW_SECONDS * _MILLISECONDS]
        try:
            allowed, taken, left = await link.run(lambda: script(keys=keys, args=arguments))
        except StateAwayError:
            return here
        return Quota.of(self._most, taken, left / _MILLISECONDS, allowed=bool(allowed))

    def take_locally(self, key: str) -> Quota:
        """Count a request from a client in this process, as `take` does."""
        now = self._clock()
        if not _is_open(self._swept, now):  # once a minute, drop the keys whose window has ended
            self._windows = {key: one for key, one in self._windows.items() if _is_open(one.start, now)}
            self._swept = now
        window = self._windows.get(key)
        if window is None or not _is_open(window.start, now):
            window = _Window(now, 0)
        allowed = window.taken < self._most
        if allowed:
            if len(self._windows) >= self._most_keys and key not in self._windows:
                del self._windows[next(iter(self._windows))]
            window = self._windows[key] = window._replace(taken=window.taken + 1)
        return Quota.of(self._most, window.taken, window.start + WINDOW_SECONDS - now, allowed=allowed)


def _is_open(start: float, now: float) -> bool:
    return start <= now < start + WINDOW_SECONDS


@dataclass(frozen=True, slots=True)
class Limits:
    """The rate limits of a server or of one of its sites; a limit that is not set is None.

    Clients without a session token share a limit per address. Otherwise a reader could avoid the limit by dropping the
    token.
    """

    reader: RateLimit | None  # questions of one reader
    anonymous: RateLimit | None  # questions from one address without a session token
    address: RateLimit | None  # requests from one address, to all sites together
    sites: Mapping[str, "Limits"] = field(default_factory=dict, repr=False, compare=False)  # by site or group

    @classmethod
    def of(cls, settings: Settings, link: StateLink | None, of_sites: Mapping[str, int]) -> "Limits":
        """Return the limits in the settings, and the limits `of_sites`: questions a minute by site or group.

        Sidecars with a `link` to a shared state count together.
        """

        def limit(name: str, most: int) -> RateLimit | None:
            return RateLimit(most, name, link, settings.reader_secret) if most else None

        def limits(rate: int, suffix: str = "") -> Limits:
            return Limits(limit(f"reader{suffix}", rate), limit(f"anonymous{suffix}", rate), address, sites)

        address, sites = limit("address", settings.address_limit), dict[str, Limits]()
        sites.update((name, limits(rate, f":{name}")) for name, rate in of_sites.items())
        return limits(settings.rate_limit)

    def of_site(self, name: str) -> "Limits":
        """Return the limits of a site or group; these limits if it has no limits of its own."""
        return self.sites.get(name, self)

    async def admit(self, request: AnyRequest, *, is_question: bool, by_address: bool) -> dict[str, str]:
        """Count a request, and return the response headers of the first limit that applies.

        Questions count for their reader and, without a session token, for their address; they need `ReaderMiddleware`.

        Raises:
            TooManyRequestsException: A limit is reached.
        """
        limits: list[tuple[RateLimit | None, str]] = []
        if is_question:
            limits.append((self.reader, reader_name(request)))
        if is_question and is_anonymous(request):
            limits.append((self.anonymous, address_of(request)))
        if by_address:
            limits.append((self.address, address_of(request)))
        headers: dict[str, str] = {}
        for limit, key in limits:
            if limit is not None:
                quota = await limit.take(key)
                if not quota.allowed:
                    raise TooManyRequestsException(headers=quota.headers)
                headers = headers or quota.headers
        return headers

    async def seconds_to_wait(self, request: AnyRequest) -> int:
        """Count a question outside the chat route; return the seconds to wait, 0 if it may be answered."""
        quota = await self.anonymous.take(address_of(request)) if self.anonymous is not None else None
        return 0 if quota is None or quota.allowed else quota.reset


class RateLimitMiddleware(ASGIMiddleware):
    """Middleware that enforces the rate limits of lookups or, after `ReaderMiddleware`, of questions.

    It reads the limits at each request, because Litestar copies middleware, with its attributes, for each route.
    """

    scopes = (ScopeType.HTTP,)

    def __init__(self, *, is_question: bool) -> None:
        self._is_question = is_question

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """Handle a request, and send the `RateLimit` headers."""
        limits: Limits = scope["litestar_app"].state.sidecar.limits.of_site(str(scope.get(SITE_KEY, "")))
        headers = await limits.admit(Request(scope), is_question=self._is_question, by_address=True)
        await next_app(scope, receive, with_headers(send, headers))
