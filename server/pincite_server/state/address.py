"""Checks the address in `PINCITE_STATE`, and creates the client."""

from importlib.util import find_spec
from typing import TYPE_CHECKING

from pincite_core.errors import InputError
from pincite_core.urls import parse_url

if TYPE_CHECKING:
    from valkey.asyncio import Valkey

__all__ = ("check_state_address", "client_of_state")

_SCHEMES = frozenset({"valkey", "valkeys", "redis", "rediss", "unix"})
_HOW = "Write it as valkey://:PASSWORD@HOST:6379/0 (also valkeys, redis, rediss, unix)."
_CONNECTIONS = 32  # connections of a sidecar; a command takes some tenths of a millisecond, so few run at once
_SECONDS = 1.0  # timeout of background checks, for which no reader waits


def check_state_address(url: str) -> None:
    """Check an address without connecting.

    Raises:
        InputError: The address is invalid, or the client is not installed. The message shows no part of the address,
            which may hold a password.
    """
    parts = parse_url(url)
    if parts is None or parts.scheme not in _SCHEMES:
        message = f"PINCITE_STATE is not an address of a Valkey or Redis server. {_HOW}"
        raise InputError(message)
    if not (parts.path if parts.scheme == "unix" else parts.hostname):
        message = f"PINCITE_STATE has no host. {_HOW}"
        raise InputError(message)
    if parts.scheme != "unix" and not (parts.path.strip("/") or "0").isdecimal():
        message = f"PINCITE_STATE does not end in a database number. {_HOW}"
        raise InputError(message)
    if find_spec("valkey") is None:
        message = "PINCITE_STATE needs the client of Valkey. Install it: pip install 'pincite[serve,state]'"
        raise InputError(message)
    try:
        client_of_state(url)
    except (TypeError, ValueError) as error:  # invalid URL parameters
        message = f"PINCITE_STATE has an invalid parameter. {_HOW}"
        raise InputError(message) from error


def client_of_state(url: str) -> "Valkey":
    """Return a client that connects at its first command and never retries a command.

    Raises:
        TypeError, ValueError: A parameter of the address is unknown, or has an invalid value.
    """
    from valkey.asyncio import BlockingConnectionPool, Valkey
    from valkey.asyncio.retry import Retry
    from valkey.backoff import NoBackoff

    pool = BlockingConnectionPool.from_url(
        url,
        max_connections=_CONNECTIONS,
        timeout=_SECONDS,
        socket_timeout=_SECONDS,
        socket_connect_timeout=_SECONDS,
        retry=Retry(NoBackoff(), 0),
    )
    return Valkey(connection_pool=pool)
