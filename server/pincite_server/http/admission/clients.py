"""Names the client of each request, for fair queueing."""

from typing import Any, Literal

from litestar.connection import ASGIConnection
from litestar.enums import ScopeType
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Receive, Scope, Send

from pincite_server.http.admission.fair_worker import ASKING, Asking
from pincite_server.http.admission.readers import ReaderPasses, known_pass, reader_of
from pincite_server.http.transport.addresses import network_of

__all__ = ("ClientMiddleware", "client_of")


class ClientMiddleware(ASGIMiddleware):
    """Middleware that sets the client and the lane of a request for the worker.

    Args:
        passes: Checks readers' session tokens.
        kind: The kind of request. Each kind is queued separately. Otherwise many lookups from an address would delay
            the first questions of all new readers behind it, which have a limit by the minute already.
    """

    scopes = (ScopeType.HTTP,)

    def __init__(self, passes: ReaderPasses, kind: Literal["question", "lookup"]) -> None:
        self._passes = passes
        self._kind = kind

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """Handle a request."""
        connection = ASGIConnection[Any, Any, Any, Any](scope)
        host = connection.client.host if connection.client else ""
        known = known_pass(scope, self._passes)
        client = client_of(host, reader_of(known))
        token = ASKING.set(Asking(f"{self._kind} of {client}", "readers" if known else "newcomers"))
        try:
            await next_app(scope, receive, send)
        finally:
            ASKING.reset(token)


def client_of(host: str, reader: str) -> str:
    """Return the name of a client: a reader with a session token, or all other clients of a network address.

    Args:
        host: The address that the request came from; "" if unknown.
        reader: The reader's name; "" without a session token.
    """
    return f"reader {reader}" if reader else f"address {network_of(host)}"
