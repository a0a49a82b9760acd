"""The network as a fetch may use it: addresses that are checked before they are connected to, and only for so long."""

import ipaddress
import math
import socket
import time
from collections.abc import Iterable
from ipaddress import IPv4Address, IPv6Address, IPv6Network
from ssl import SSLContext
from typing import Any

import httpcore
import httpx

__all__ = ("CheckedNetwork", "RefusedError", "is_public")

_NAT64 = IPv6Network("64:ff9b::/96")  # an IPv4 address stands in the last 32 bits
_IPV4 = 0xFFFF_FFFF
_SocketOptions = Iterable[Any]


class RefusedError(httpx.RequestError):
    """A host is not asked, or not listened to any longer; the text is what a sentence says of its address."""


def is_public(address: str) -> bool:
    """Tell whether an IP address is one of the open internet: none that is private, local, multicast or reserved."""
    plain = _embedded(ipaddress.ip_address(address))
    if isinstance(plain, IPv6Address) and plain.is_site_local:
        return False
    return plain.is_global and not plain.is_multicast and not plain.is_reserved


def _embedded(address: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
    """Return the IPv4 address that an IPv6 address leads to, where it does."""
    if isinstance(address, IPv4Address):
        return address
    if address in _NAT64:
        return IPv4Address(int(address) & _IPV4)
    return address.ipv4_mapped or address.sixtofour or (address.teredo[1] if address.teredo else address)


class CheckedNetwork(httpcore.NetworkBackend):
    """Connects to the addresses that it has checked, so that a name cannot lead elsewhere between the two.

    The host that the user named may be private, and then so may the others that it redirects to. A host that was public
    when it was first connected to leads to public addresses alone, as do all hosts that it redirects to.

    Attributes:
        until: When reading and connecting end, in seconds of the monotonic clock.

    Args:
        named: The host that the user named, as it stands in a request.
        may_be_private: False for a host that nobody named: it must be public from the start.
    """

    def __init__(self, named: str, *, may_be_private: bool = True) -> None:
        self.until = math.inf
        self._named = named
        self._is_private = None if may_be_private else False
        self._network = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: _SocketOptions | None = None,
    ) -> httpcore.NetworkStream:
        """Connect to the first address of a host that may be connected to and answers.

        Raises:
            RefusedError: It has none that may be.
            httpcore.ConnectError: None answers.
        """
        failed: Exception = httpcore.ConnectError("no address")
        for address in self._fit(host, _addresses(host, port)):
            try:
                left = self.left(timeout)
                stream = self._network.connect_tcp(address, port, left, local_address, socket_options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failed = error
                continue
            return _TimedStream(stream, self)
        raise failed

    def left(self, timeout: float | None) -> float:
        """Return how many seconds there are for what may take `timeout` of them.

        Raises:
            RefusedError: None are left.
        """
        left = self.until - time.monotonic()
        if left <= 0:
            message = "takes too long. Is the host very slow?"
            raise RefusedError(message)
        return left if timeout is None else min(left, timeout)

    def _fit(self, host: str, addresses: list[str]) -> list[str]:
        public = list(filter(is_public, addresses))
        if self._is_private is None and host == self._named:
            self._is_private = not public
        if public or self._is_private:
            return public or addresses
        message = "leads to a private address, where nobody said that it may. Name that address itself."
        raise RefusedError(message)


class _TimedStream(httpcore.NetworkStream):
    """A connection that ends when the network's time is over, however slowly bytes drip in."""

    def __init__(self, stream: httpcore.NetworkStream, network: CheckedNetwork) -> None:
        self._stream = stream
        self._network = network

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        try:
            return self._stream.read(max_bytes, self._network.left(timeout))
        except httpcore.ReadTimeout:
            self._network.left(timeout)  # says so when all the time is over
            raise

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, self._network.left(timeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        encrypted = self._stream.start_tls(ssl_context, server_hostname, self._network.left(timeout))
        return _TimedStream(encrypted, self._network)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


def _addresses(host: str, port: int) -> list[str]:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        message = "its name is not known"
        raise httpcore.ConnectError(message) from error
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))
