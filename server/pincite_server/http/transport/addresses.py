"""Determines a reader's address behind trusted proxies, and the network that identifies it in rate limits."""

import ipaddress
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Self

from litestar import Request
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

from pincite_core.errors import InputError

__all__ = ("ReaderAddress", "TrustedProxies", "address_of", "network_of")

_IPV6_PREFIX = 64  # bits: the usual allocation of a household or machine, which can use any address in it
_MOST_PROXIES = 16  # a larger number is a mistake, such as an address without its dots
_MOST_REMEMBERED = 4096  # cached addresses; each request looks its address up several times
_SCHEMES = frozenset({b"http", b"https"})

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network


@dataclass(frozen=True, slots=True)
class TrustedProxies:
    """Proxies whose `X-Forwarded-For` entries are trusted: by network, or by number of hops.

    Every proxy appends its client's address to `X-Forwarded-For`. Entries further left come from that client and may be
    forged. So hops are counted from the right.
    """

    networks: tuple[Network, ...] = ()
    count: int = 0

    @classmethod
    def parse(cls, setting: str) -> Self:
        """Return the proxies of a setting: addresses and networks, separated by commas, or the number of proxies.

        Raises:
            InputError: The setting trusts every address, or an item is neither an address nor a network.
        """
        if setting.isascii() and setting.strip().isdigit() and int(setting) <= _MOST_PROXIES:
            return cls(count=int(setting))
        return cls(tuple(_network(item.strip()) for item in setting.split(",") if item.strip()))

    def is_proxy(self, host: str, hops: int = 0) -> bool:
        """Return whether a host is a trusted proxy, given its distance in hops from this process."""
        if hops < self.count:
            return True
        address = _address(host)
        return address is not None and any(address in network for network in self.networks)

    def reader(self, peer: str, forwarded: Iterable[str]) -> str:
        """Return the client address that the outermost trusted proxy recorded, given the `X-Forwarded-For` headers."""
        reader = peer
        for hops, recorded in enumerate(reversed(",".join(forwarded).split(","))):
            address = _address(recorded) if self.is_proxy(reader, hops) else None
            if address is None:
                break
            reader = str(address)
        return reader


class ReaderAddress:
    """ASGI middleware that sets a request's client and scheme to the reader's, as trusted proxies report them.

    It ignores `Forwarded` (RFC 7239), because proxies pass a reader's own header on unchanged.
    """

    def __init__(self, app: ASGIApp, proxies: TrustedProxies) -> None:
        self._app = app
        self._proxies = proxies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        if scope["type"] == ScopeType.HTTP and (client := scope["client"]) and self._proxies.is_proxy(client[0]):
            headers = list(scope["headers"])
            forwarded = [value.decode("latin-1") for name, value in headers if name == b"x-forwarded-for"]
            schemes = [value.strip() for name, value in headers if name == b"x-forwarded-proto"]
            scope["client"] = (self._proxies.reader(client[0], forwarded), 0)
            if schemes and schemes[-1] in _SCHEMES:
                scope["scheme"] = schemes[-1].decode()
        await self._app(scope, receive, send)


def address_of(request: Request[Any, Any, Any]) -> str:
    """Return the network of a request's client (see `network_of`); "" if it is unknown."""
    return network_of(request.client.host) if request.client else ""


def network_of(host: str) -> str:
    """Return a host's key in rate limits: its normalised IPv4 address, or the /64 network of its IPv6 address."""
    address = _address(host)
    if isinstance(address, ipaddress.IPv6Address):
        return str(ipaddress.IPv6Network((int(address), _IPV6_PREFIX), strict=False))
    return host if address is None else str(address)


@lru_cache(maxsize=_MOST_REMEMBERED)
def _address(text: str) -> Address | None:
    """Return the address in a text that may have a port, or None. An IPv4-mapped IPv6 address is returned as IPv4."""
    text = text.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def _network(item: str) -> Network:
    network = None
    with suppress(ValueError):
        network = ipaddress.ip_network(item if "/" in item else str(_address(item)), strict=False)
    if network is not None and network.prefixlen:
        return network
    problem = (
        "is neither an address nor a network. Write 127.0.0.1, 10.0.0.0/8, or the number of proxies in front."
        if network is None and item != "*"
        else "trusts every client's statement of its own address. Write the number of proxies in front, such as 1, or "
        "their addresses."
    )
    message = f"PINCITE_TRUSTED_PROXIES has {item!r}, which {problem}"
    raise InputError(message)
