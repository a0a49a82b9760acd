"""Who asks, and how much: signed anonymous reader passes and the limits that hang on them.

A reader's first reply carries a pass in the header `Pincite-Reader`; the widget sends it back, no cookie is set. The
pass says nothing of the reader: it is random, and signed so that nobody can make up new ones to dodge the limit.
"""

import asyncio
import base64
import hashlib
import hmac
import secrets
from dataclasses import dataclass
from typing import Any

from litestar import Litestar, Request
from litestar.connection import ASGIConnection
from litestar.datastructures import MutableScopeHeaders
from litestar.enums import ScopeType
from litestar.exceptions import TooManyRequestsException
from litestar.middleware import ASGIMiddleware
from litestar.middleware.rate_limit import DurationUnit, RateLimitConfig, RateLimitMiddleware, get_remote_address
from litestar.stores.memory import MemoryStore
from litestar.types import ASGIApp, Message, Middleware, Receive, Scope, Send

from pincite_server.settings import Settings

__all__ = (
    "READER_HEADER",
    "QuestionAllowance",
    "ReaderPasses",
    "forget_expired",
    "lookup_limits",
    "question_limits",
    "reader_pass",
)

READER_HEADER = "Pincite-Reader"
_LIMIT_STORE = "rate_limit"  # Litestar's name for it; an operator's own store can stand in its place

_ID_BYTES = 16  # as a UUID: nobody guesses another reader's
_SIGNATURE_BYTES = 16  # half of an HMAC-SHA256: 128 bits are beyond forging
_SWEEP_SECONDS = 60.0  # the limits' own window

Rate = tuple[DurationUnit, int]


class ReaderPasses:
    """Makes and checks readers' passes: base64url of a random id and its HMAC-SHA256."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    def issue(self) -> str:
        """Return a new pass."""
        reader_id = secrets.token_bytes(_ID_BYTES)
        return base64.urlsafe_b64encode(reader_id + self._sign(reader_id)).decode()

    def is_valid(self, given: str) -> bool:
        """Return whether this server (or one with the same secret) issued a pass."""
        try:
            raw = base64.b64decode(given, altchars=b"-_", validate=True)
        except ValueError:
            return False
        reader_id, signature = raw[:_ID_BYTES], raw[_ID_BYTES:]
        return hmac.compare_digest(signature, self._sign(reader_id))

    def _sign(self, reader_id: bytes) -> bytes:
        return hmac.new(self._secret, reader_id, hashlib.sha256).digest()[:_SIGNATURE_BYTES]


@dataclass(frozen=True, slots=True)
class _Reader:
    own_pass: str
    is_new: bool


class _ReaderMiddleware(ASGIMiddleware):
    """Recognises the reader, or makes a pass for a new one and hands it out with the reply."""

    scopes = (ScopeType.HTTP,)

    def __init__(self, passes: ReaderPasses) -> None:
        self._passes = passes

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        given = ASGIConnection[Any, Any, Any, Any](scope).headers.get(READER_HEADER, "")
        known = self._passes.is_valid(given)
        reader = _Reader(given if known else self._passes.issue(), is_new=not known)
        scope["state"]["reader"] = reader
        await next_app(scope, receive, _handing_out(reader, send) if reader.is_new else send)


class _ReaderLimit(RateLimitMiddleware):
    """So much a reader."""


class _NewcomerLimit(RateLimitMiddleware):
    """So much for all of an address's readers without a pass, or dropping the pass would lift the limit."""


class _AddressLimit(RateLimitMiddleware):
    """So much an address, all its readers together."""


def question_limits(settings: Settings) -> list[Middleware]:
    """Return the middleware of routes that answer questions, outermost first."""
    layers: list[Middleware] = [_ReaderMiddleware(ReaderPasses(settings.reader_secret))]
    if settings.rate_limit:
        rate: Rate = ("minute", settings.rate_limit)
        layers += [
            RateLimitConfig(rate, middleware_class=_ReaderLimit, identifier_for_request=reader_pass).middleware,
            RateLimitConfig(rate, middleware_class=_NewcomerLimit, check_throttle_handler=_is_new).middleware,
        ]
    return layers + lookup_limits(settings)


def lookup_limits(settings: Settings) -> list[Middleware]:
    """Return the middleware of routes that only look something up."""
    if not settings.address_limit:
        return []
    rate: Rate = ("minute", settings.address_limit)
    return [RateLimitConfig(rate, middleware_class=_AddressLimit, identifier_for_request=get_remote_address).middleware]


class QuestionAllowance:
    """The allowance of an address's newcomers, for questions that come by another way than the chat's routes."""

    def __init__(self, settings: Settings) -> None:
        config = RateLimitConfig(("minute", settings.rate_limit), middleware_class=_NewcomerLimit)
        self._limit = _NewcomerLimit(_nothing, config) if settings.rate_limit else None

    async def take(self, request: Request[Any, Any, Any]) -> int:
        """Count a question; return 0 when it may be answered, else how many seconds to wait."""
        if self._limit is None:
            return 0
        try:
            await self._limit(request.scope, request.receive, request.send)
        except TooManyRequestsException as error:
            return max(1, int((error.headers or {}).get("RateLimit-Reset", "1")))
        return 0


async def forget_expired(app: Litestar) -> None:
    """Drop limits that have run out, once a minute until cancelled; the memory store does so only when asked again."""
    store = app.stores.get(_LIMIT_STORE)
    while isinstance(store, MemoryStore):
        await asyncio.sleep(_SWEEP_SECONDS)
        await store.delete_expired()


async def _nothing(scope: Scope, receive: Receive, send: Send) -> None:
    """Stand in for the application where only the count matters."""


def _handing_out(reader: _Reader, send: Send) -> Send:
    async def send_with_pass(message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableScopeHeaders.from_message(message)[READER_HEADER] = reader.own_pass
        await send(message)

    return send_with_pass


def reader_pass(request: Request[Any, Any, Any]) -> str:
    """Return the pass of whoever asks, a new one's included; only on routes with `question_limits`."""
    reader: _Reader = request.scope["state"]["reader"]
    return reader.own_pass


def _is_new(request: Request[Any, Any, Any]) -> bool:
    reader: _Reader = request.scope["state"]["reader"]
    return reader.is_new
