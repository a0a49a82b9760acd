"""Which client a request is from: what takes turns in the queue."""

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
    """Lets the worker know whom a request is from.

    Args:
        passes: Check readers' passes.
        kind: What is asked for. Each kind has turns of its own, or those who look much up would hold up the first
            questions of all new readers behind their address, which have a limit by the minute already.
    """

    scopes = (ScopeType.HTTP,)

    def __init__(self, passes: ReaderPasses, kind: Literal["question", "lookup"]) -> None:
        self._passes = passes
        self._kind = kind

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """Pass a request through."""
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
    """Return the name of a client: the reader who has a pass, else all others of an address, or of an IPv6 network.

    Args:
        host: The address that the request came from; "" when it is not known.
        reader: The reader's name; "" without a pass.
    """
    return f"reader {reader}" if reader else f"address {network_of(host)}"
