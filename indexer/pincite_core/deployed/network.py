"""Provide a network backend that checks IP addresses before it connects (against SSRF) and enforces a deadline."""

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

_NAT64 = IPv6Network("64:ff9b::/96")  # the last 32 bits are an IPv4 address
_IPV4 = 0xFFFF_FFFF
_SocketOptions = Iterable[Any]


class RefusedError(httpx.RequestError):
    """A request was refused, or its response exceeded a limit.

    The text is a predicate. Callers put the address in front of it to form a sentence.
    """


def is_public(address: str) -> bool:
    """Return whether an IP address is public, which means not private, local, multicast or reserved."""
    plain = _embedded(ipaddress.ip_address(address))
    if isinstance(plain, IPv6Address) and plain.is_site_local:
        return False
    return plain.is_global and not plain.is_multicast and not plain.is_reserved


def _embedded(address: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
    """Return the IPv4 address that is embedded in an IPv6 address, or the address itself if there is none."""
    if isinstance(address, IPv4Address):
        return address
    if address in _NAT64:
        return IPv4Address(int(address) & _IPV4)
    return address.ipv4_mapped or address.sixtofour or (address.teredo[1] if address.teredo else address)


class CheckedNetwork(httpcore.NetworkBackend):
    """Network backend that resolves a name once, checks the addresses and connects to them (against DNS rebinding).

    The host that the user named may have a private address. In this case its redirects may lead to private addresses
    too. If the host was public at the first connection, all later connections must go to public addresses. With
    `may_be_private=False`, the host must be public.

    `until` is the deadline for connecting and reading, in seconds of the monotonic clock.
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
        """Connect to the first allowed address of a host that accepts a connection.

        Raises:
            RefusedError: The host has no allowed address, or the deadline has passed.
            httpcore.ConnectError: No address accepts a connection.
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
        """Return `timeout` or the shorter time until the deadline, in seconds; raise `RefusedError` after it."""
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
        message = "leads to a private address, which is not allowed here. Give the final address."
        raise RefusedError(message)


class _TimedStream(httpcore.NetworkStream):
    """A connection that fails when the deadline of its network passes, even if bytes still arrive."""

    def __init__(self, stream: httpcore.NetworkStream, network: CheckedNetwork) -> None:
        self._stream = stream
        self._network = network

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        try:
            return self._stream.read(max_bytes, self._network.left(timeout))
        except httpcore.ReadTimeout:
            self._network.left(timeout)  # raises `RefusedError` if the deadline has passed
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
        message = "its host name cannot be resolved"
        raise httpcore.ConnectError(message) from error
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))
