"""Signed anonymous session tokens that identify readers for the rate limits.

A reader's first reply carries a token in the header `Pincite-Reader`, and the widget sends it back; no cookie is set.
The token is random, so it reveals nothing about the reader. Its signature keeps clients from forging new tokens.
"""

import base64
import hashlib
import hmac
import secrets
from dataclasses import dataclass
from typing import Any

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.datastructures import MutableScopeHeaders
from litestar.enums import ScopeType
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Message, Receive, Scope, Send

__all__ = (
    "READER_HEADER",
    "ReaderMiddleware",
    "ReaderPasses",
    "is_new",
    "known_pass",
    "reader_name",
    "reader_of",
)

READER_HEADER = "Pincite-Reader"

_ID_BYTES = 16  # as many as a UUID: nobody guesses another reader's id
_ID_LETTERS = 21  # leading letters of the token that encode nothing but the id
_KNOWN_PASS = "known_pass"  # key of a request's state
_SIGNATURE_BYTES = 16  # half of an HMAC-SHA256; 128 bits cannot be forged


class ReaderPasses:
    """Issues and verifies session tokens: base64url of a random id and its HMAC-SHA256.

    Args:
        secret: Signs tokens.
        previous: A former or future secret, whose signatures are accepted too.
    """

    def __init__(self, secret: bytes, previous: bytes | None = None) -> None:
        self._secrets = (secret,) if previous is None else (secret, previous)

    def issue(self) -> str:
        """Return a new token."""
        return self._signed(secrets.token_bytes(_ID_BYTES))

    def renewed(self, valid: str) -> str:
        """Return a reader's token signed with the current secret."""
        return self._signed(base64.urlsafe_b64decode(valid)[:_ID_BYTES])

    def is_valid(self, given: str) -> bool:
        """Return whether a token has a valid signature and the canonical base64 form.

        Base64 can encode the same bytes in several ways; the limits would count each form as another reader.
        """
        try:
            raw = base64.urlsafe_b64decode(given)
        except ValueError:
            return False
        if len(raw) != _ID_BYTES + _SIGNATURE_BYTES or base64.urlsafe_b64encode(raw) != given.encode():
            return False
        reader_id, signature = raw[:_ID_BYTES], raw[_ID_BYTES:]
        return any(hmac.compare_digest(signature, _signature(reader_id, one)) for one in self._secrets)

    def _signed(self, reader_id: bytes) -> str:
        return base64.urlsafe_b64encode(reader_id + _signature(reader_id, self._secrets[0])).decode()


def _signature(reader_id: bytes, secret: bytes) -> bytes:
    return hmac.new(secret, reader_id, hashlib.sha256).digest()[:_SIGNATURE_BYTES]


def reader_of(valid: str) -> str:
    """Return the part of a valid token that does not depend on the secret: the reader's name."""
    return valid[:_ID_LETTERS]


@dataclass(frozen=True, slots=True)
class _Reader:
    name: str
    is_new: bool


class ReaderMiddleware(ASGIMiddleware):
    """Middleware that recognises a reader, or issues a session token and sends it with the reply.

    A token signed with another secret is signed again, so that readers keep their names when secrets change.
    """

    scopes = (ScopeType.HTTP,)

    def __init__(self, passes: ReaderPasses) -> None:
        self._passes = passes

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """Handle a request."""
        known = known_pass(scope, self._passes)
        own = self._passes.renewed(known) if known else self._passes.issue()
        scope["state"]["reader"] = _Reader(reader_of(own), is_new=not known)
        await next_app(scope, receive, send if own == known else _handing_out(own, send))


def _handing_out(own: str, send: Send) -> Send:
    async def send_with_pass(message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableScopeHeaders.from_message(message)[READER_HEADER] = own
        await send(message)

    return send_with_pass


def known_pass(scope: Scope, passes: ReaderPasses) -> str:
    """Return the valid token of a request, or "". The token is verified once a request."""
    state = scope["state"]
    if _KNOWN_PASS not in state:
        given = ASGIConnection[Any, Any, Any, Any](scope).headers.get(READER_HEADER, "")
        state[_KNOWN_PASS] = given if passes.is_valid(given) else ""
    found: str = state[_KNOWN_PASS]
    return found


def reader_name(request: Request[Any, Any, Any]) -> str:
    """Return the name of the reader of a request, new readers included; only on routes with `ReaderMiddleware`."""
    reader: _Reader = request.scope["state"]["reader"]
    return reader.name


def is_new(request: Request[Any, Any, Any]) -> bool:
    """Return whether the request came without a valid token; only on routes with `ReaderMiddleware`."""
    reader: _Reader = request.scope["state"]["reader"]
    return reader.is_new
