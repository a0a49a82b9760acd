"""The socket that the sidecar listens on."""

import socket

from pincite_core.errors import InputError

__all__ = ("listen", "url_of")

_BACKLOG = 2048  # uvicorn's own: connections that wait while the loop is busy


def listen(host: str, port: int) -> socket.socket:
    """Take a port, 0 for a free one.

    The socket names its protocol, because asyncio turns Nagle's algorithm off only on those that do; with it on, every
    reply waits some 40 ms for the client's delayed acknowledgement.

    Raises:
        InputError: The port is taken, or the address is none of this machine's.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(_BACKLOG)
    except OSError as error:
        listener.close()
        message = f"Could not listen on {host}:{port} ({error.strerror}). Choose another --port."
        raise InputError(message) from error
    return listener


def url_of(listener: socket.socket) -> str:
    """Return the URL to type into a browser on this machine, without a path."""
    host, port = listener.getsockname()[:2]
    shown = "localhost" if host in {"0.0.0.0", "::"} else f"[{host}]" if ":" in host else host
    return f"http://{shown}:{port}"
