"""Signed anonymous session tokens that identify readers for the rate limits.

A reader's first reply carries a token in the header `Pincite-Reader`, and the widget sends it back; no cookie is set.
The token is random, so it reveals nothing about the reader. Its signature keeps clients from forging new tokens.
"""

import base64
import hashlib
import hmac
import secrets
from typing import Any

from litestar import Request
from litestar.datastructures import Headers
from litestar.enums import ScopeType
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Receive, Scope, Send

from pincite_server.http.transport.connections import with_headers

__all__ = (
    "READER_HEADER",
    "ReaderMiddleware",
    "SessionTokens",
    "is_anonymous",
    "reader_name",
    "reader_of",
    "valid_token",
)

READER_HEADER = "Pincite-Reader"

_ID_BYTES = 16  # as many as a UUID: nobody guesses another reader's id
_ID_LETTERS = 21  # leading letters of the token that encode nothing but the id
_SIGNATURE_BYTES = 16  # half of an HMAC-SHA256; 128 bits cannot be forged
_READER, _VALID_TOKEN = "reader", "valid_token"  # keys of a request's state


class SessionTokens:
    """Issues and verifies session tokens: base64url of a random id and its HMAC-SHA256.

    Signatures of the `previous` secret, a former or future one, are accepted too.
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


class ReaderMiddleware(ASGIMiddleware):
    """Middleware that recognises a reader, or issues a session token and sends it with the reply.

    A token signed with another secret is signed again, so that readers keep their names when secrets change.
    """

    scopes = (ScopeType.HTTP,)

    def __init__(self, tokens: SessionTokens) -> None:
        self._tokens = tokens

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """Handle a request."""
        given = valid_token(scope, self._tokens)
        own = self._tokens.renewed(given) if given else self._tokens.issue()
        scope["state"][_READER] = reader_of(own)
        await next_app(scope, receive, send if own == given else with_headers(send, {READER_HEADER: own}))


def valid_token(scope: Scope, tokens: SessionTokens) -> str:
    """Return the valid token of a request, or "". The token is verified once a request."""
    state = scope["state"]
    if _VALID_TOKEN not in state:
        given = Headers.from_scope(scope).get(READER_HEADER, "")
        state[_VALID_TOKEN] = given if tokens.is_valid(given) else ""
    return str(state[_VALID_TOKEN])


def reader_name(request: Request[Any, Any, Any]) -> str:
    """Return the name of the reader of a request, new readers included; only on routes with `ReaderMiddleware`."""
    return str(request.scope["state"][_READER])


def is_anonymous(request: Request[Any, Any, Any]) -> bool:
    """Return whether a request came without a valid token; only on routes with `ReaderMiddleware`."""
    return not request.scope["state"][_VALID_TOKEN]
