"""Create an HTTP client for untrusted hosts. It limits redirects, response sizes and response times.

The client checks IP addresses before it connects, against requests to private networks (SSRF).
"""

import ipaddress
import math
import os
import socket
import time
import zlib
from collections.abc import Collection, Iterable, Iterator
from functools import partial
from ipaddress import IPv4Address, IPv6Address, IPv6Network
from ssl import SSLContext
from typing import Any
from urllib.request import getproxies, proxy_bypass

import httpcore
import httpx

from pincite_core.errors import InputError
from pincite_core.version import __version__

__all__ = ("CheckedNetwork", "RefusedError", "guarded_client", "is_public")

_TIMEOUT = httpx.Timeout(30, connect=10)  # seconds; the first value limits the time between two bytes
_MOST_SECONDS = 60.0
_MOST_BYTES = 8 << 20  # default limit of a response body; the request extension `most` overrides it
_MOST_REDIRECTS = 5
_PORTS = {"http": 80, "https": 443}
_BLOCK_BYTES = 1 << 16
_GZIP = 31  # zlib window bits that accept only gzip
_NAT64 = IPv6Network("64:ff9b::/96")  # the last 32 bits are an IPv4 address
_IPV4 = 0xFFFF_FFFF
_SocketOptions = Iterable[Any]


def guarded_client(url: str, hosts: Collection[str] | None = None, *, may_be_private: bool = True) -> httpx.Client:
    """Return an HTTP client for the host of `url`, which the user named.

    A redirect may stay on that host and port, switch to HTTPS on that host, or lead to one of `hosts`. The default of
    `hosts` comes from the environment. A public host may never redirect to a private address. Use
    `may_be_private=False` if the user did not name the host. The request extensions `most` (bytes) and `deadline`
    (seconds) limit the response. A refused request raises `RefusedError`, which is an `httpx.RequestError`.

    Raises:
        InputError: `url` is not a valid URL.
    """
    try:
        named = httpx.URL(url)
    except httpx.InvalidURL as error:
        message = "The address of the index is not a URL. Write it as https://docs.example.com/pincite/."
        raise InputError(message) from error
    if hosts is None:
        hosts = os.environ.get("PINCITE_REDIRECT_HOSTS", "").split()
    check = partial(_check_redirect, named, frozenset(map(str.lower, hosts)))
    return httpx.Client(
        transport=_Transport(CheckedNetwork(_host(named), may_be_private=may_be_private)),
        event_hooks={"request": [check], "response": [_bound]},
        follow_redirects=True,
        max_redirects=_MOST_REDIRECTS,
        timeout=_TIMEOUT,
        headers={"User-Agent": f"pincite/{__version__}", "Accept-Encoding": "gzip"},
    )


def _check_redirect(named: httpx.URL, hosts: frozenset[str], request: httpx.Request) -> None:
    """Raise `RefusedError` if no rule allows the URL of a request. Only a redirect can lead to such a URL."""
    url = request.url
    if url.scheme not in _PORTS:
        message = "redirects to an address that is not HTTP. Give the final address."
        raise RefusedError(message)
    if url.scheme == "http" and named.scheme == "https":
        message = "redirects to an address without TLS. Give the final address."
        raise RefusedError(message)
    ports = {_port(named)} | ({_PORTS["https"]} if _port(named) == _PORTS["http"] else set())
    if not (_host(url) == _host(named) and _port(url) in ports) and _host(url) not in hosts:
        message = (
            "redirects to another host or port. Give the final address, or allow that host with PINCITE_REDIRECT_HOSTS."
        )
        raise RefusedError(message)


def _host(url: httpx.URL) -> str:
    return url.raw_host.decode("ascii")


def _port(url: httpx.URL) -> int | None:
    return url.port or _PORTS.get(url.scheme)


class _Transport(httpx.BaseTransport):
    """Transport that connects to checked addresses only.

    If the environment configures a proxy, the proxy resolves host names instead, and addresses are not checked.
    """

    def __init__(self, network: "CheckedNetwork") -> None:
        self._network = network
        self._direct = _Direct(network)
        named = getproxies()
        self._proxies: dict[str, httpx.BaseTransport] = {
            scheme: httpx.HTTPTransport(proxy=named[scheme] if "://" in named[scheme] else f"http://{named[scheme]}")
            for scheme in ("http", "https", "all")
            if scheme in named
        }

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self._network.until = time.monotonic() + _deadline(request)
        proxy = self._proxies.get(request.url.scheme) or self._proxies.get("all")
        transport = self._direct if proxy is None or proxy_bypass(request.url.host) else proxy
        return transport.handle_request(request)

    def close(self) -> None:
        for transport in (self._direct, *self._proxies.values()):
            transport.close()


class _Direct(httpx.HTTPTransport):
    """The standard httpx transport with a custom network backend, which httpx has no argument for."""

    def __init__(self, network: "CheckedNetwork") -> None:
        self._pool = httpcore.ConnectionPool(
            ssl_context=httpx.create_ssl_context(),
            max_keepalive_connections=0,  # hosts close idle connections before the next poll
            network_backend=network,
        )


def _bound(response: httpx.Response) -> None:
    """Limit the body of a response, and discard the body of a redirect."""
    if response.has_redirect_location:
        response.stream.close()  # type: ignore[union-attr]  # the client is synchronous
        response.stream = httpx.ByteStream(b"")
        return
    encoding = response.headers.pop("content-encoding", "identity").strip().lower()
    if encoding not in {"gzip", "identity", ""}:
        response.close()
        message = "is sent in a compression that was not requested. Let the host send it uncompressed or as gzip."
        raise RefusedError(message)
    assert isinstance(response.stream, httpx.SyncByteStream)
    response.stream = _BoundedStream(response.stream, response.request, is_gzip=encoding == "gzip")


class _BoundedStream(httpx.SyncByteStream):
    """A response body with a size and time limit. Block-wise decompression stops decompression bombs early."""

    def __init__(self, stream: httpx.SyncByteStream, request: httpx.Request, *, is_gzip: bool) -> None:
        self._stream = stream
        self._most = int(request.extensions.get("most", _MOST_BYTES))
        self._seconds = _deadline(request)
        self._until = time.monotonic() + self._seconds
        self._is_gzip = is_gzip

    def __iter__(self) -> Iterator[bytes]:
        received = 0
        for block in _unpacked(self._stream) if self._is_gzip else self._stream:
            received += len(block)
            if received > self._most:
                message = f"is larger than {self._most:,} bytes. Deploy the whole folder again."
                raise RefusedError(message)
            if time.monotonic() > self._until:
                message = f"takes longer than {self._seconds:,.0f} seconds. Is the host very slow?"
                raise RefusedError(message)
            yield block

    def close(self) -> None:
        self._stream.close()


def _unpacked(blocks: Iterable[bytes]) -> Iterator[bytes]:
    inflating = zlib.decompressobj(_GZIP)
    try:
        for block in blocks:
            yield inflating.decompress(block, _BLOCK_BYTES)
            while inflating.unconsumed_tail:
                yield inflating.decompress(inflating.unconsumed_tail, _BLOCK_BYTES)
    except zlib.error as error:
        message = "it is not gzip"
        raise httpx.DecodingError(message) from error
    if not inflating.eof:
        message = "its gzip data is truncated"
        raise httpx.DecodingError(message)


def _deadline(request: httpx.Request) -> float:
    return float(request.extensions.get("deadline", _MOST_SECONDS))


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

    def __init__(self, stream: httpcore.NetworkStream, network: "CheckedNetwork") -> None:
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
