"""uvicorn's HTTP protocol with limits on slow request heads, slow readers and the number of connections.

When an address, or the sidecar, holds too many connections, the server closes one whose client keeps it waiting. It
never closes a connection with an answer in progress. If an address opens connections too fast, each new one is read
only after a delay. A client that is refused at once would reconnect at once, a thousand times a second.
"""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from uvicorn.protocols.http.h11_impl import H11Protocol

from pincite_server.http.transport.addresses import network_of

try:
    import resource
except ImportError:  # Windows, where sockets are not file handles
    resource = None  # type: ignore[assignment]

__all__ = ("ConnectionLimits", "bounded_protocol", "most_connections")

_REFILL_SECONDS = 20.0  # refills an address's bucket of twice its connection limit: for 50, five a second
_MOST_WAIT_SECONDS = 10.0  # longest delay of a new connection; a connection that needs more is closed after it
_MOST_DELAYED = 1024  # delayed connections; further ones are closed at once, since each takes a file handle
_OTHER_HANDLES = 256  # for indexes, the language model's connections and the log
_MOST_KNOWN = 10_000  # addresses; those without recent connections are dropped
_HANDLES_EACH = 2  # one for the connection, one for the file that is sent over it


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionLimits:
    """Limits on the time a client may take, and on the number of connections; 0 connections is no limit."""

    head_seconds: float  # how long a request's head may take to arrive
    write_seconds: float  # how long a client may read nothing of the data sent to it
    an_address: int = 0  # connections of one network address
    in_all: int = 0  # connections of all addresses
    is_proxy: Callable[[str], bool] = lambda _: False  # a proxy serves many clients and has no limit of its own


class _Connection(H11Protocol):
    """A connection that is closed when its client is too slow.

    If an answer did not wait for its request's body, the bytes that follow count as the next head. So a client cannot
    avoid the limit this way.
    """

    limits: ClassVar[ConnectionLimits]
    table: ClassVar["_ConnectionTable"]

    _head_timer: asyncio.TimerHandle | None = None
    _write_timer: asyncio.TimerHandle | None = None
    _idle_since = 0.0
    _stalled_since = 0.0
    network = ""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        super().connection_made(transport)
        transport.set_write_buffer_limits(0)  # the write timer then covers all unsent data
        host = self.client[0] if self.client else ""
        self.network = network_of(host)
        self.table.admit(self, is_limited=not self.limits.is_proxy(host))

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self._stop_head_timer()
        elif self._head_timer is None:
            self._await_head()

    def on_response_complete(self) -> None:
        self._idle_since = self.loop.time()
        super().on_response_complete()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._await_progress()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._stop_write_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_head_timer()
        self._stop_write_timer()
        self.table.remove(self)
        super().connection_lost(exc)

    def waits_since(self) -> float | None:
        """Return the loop time since which the client keeps the server waiting; None if it does not."""
        if self.flow.write_paused:
            return self._stalled_since
        if self.cycle is None or self.cycle.response_complete or self.cycle.more_body:
            return self._idle_since
        return None

    def begin(self) -> None:
        """Start to wait for the first request."""
        self._idle_since = self.loop.time()
        self._await_head()

    def delay(self, seconds: float, then: Callable[["_Connection"], None]) -> None:
        """Stop reading for some seconds, then call `then` unless the connection has ended."""
        self.transport.pause_reading()
        self._head_timer = self.loop.call_later(seconds, then, self)

    def _await_head(self) -> None:
        self._head_timer = self.loop.call_later(self.limits.head_seconds, self.transport.close)

    def _stop_head_timer(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    def _stop_write_timer(self) -> None:
        if self._write_timer is not None:
            self._write_timer.cancel()

    def _await_progress(self) -> None:
        self._stalled_since, left = self.loop.time(), self.transport.get_write_buffer_size()
        self._write_timer = self.loop.call_later(self.limits.write_seconds, self._check_progress, left)

    def _check_progress(self, left_before: int) -> None:
        """Close the connection if the client has read nothing; otherwise restart the timer."""
        if self.transport.get_write_buffer_size() < left_before:
            self._await_progress()
        else:
            self.transport.abort()


class _TokenBucket(NamedTuple):
    """The connections that an address may open at a time, negative if connections wait for their turn."""

    left: float
    at: float


class _ConnectionTable:
    """Tracks open connections and enforces the per-address and total limits."""

    def __init__(self, limits: ConnectionLimits) -> None:
        self._limits = limits
        self._open: dict[str, set[_Connection]] = defaultdict(set)
        self._delayed: set[_Connection] = set()
        self._buckets: dict[str, _TokenBucket] = {}

    def admit(self, connection: _Connection, *, is_limited: bool) -> None:
        """Admit a new connection, at once or after a delay; `is_limited` applies the limit per address."""
        wait = self._wait(connection.network, connection.loop.time()) if is_limited else 0.0
        if not wait:
            self._add(connection, is_limited=is_limited)
        elif len(self._delayed) >= _MOST_DELAYED:
            connection.transport.abort()  # the new one, since endless new connections would otherwise close all others
        else:
            self._delayed.add(connection)
            is_too_long = wait >= _MOST_WAIT_SECONDS
            connection.delay(
                min(wait, _MOST_WAIT_SECONDS), (lambda one: one.transport.abort()) if is_too_long else self._resume
            )

    def _resume(self, connection: _Connection) -> None:
        self._delayed.discard(connection)
        connection.transport.resume_reading()
        self._add(connection, is_limited=True)

    def _add(self, connection: _Connection, *, is_limited: bool) -> None:
        """Add a connection. If it exceeds a limit, close the connection that has waited longest."""
        connection.begin()
        same = self._open[connection.network]
        same.add(connection)
        if is_limited and 0 < self._limits.an_address < len(same):
            self._close_one(same)
        elif 0 < self._limits.in_all < sum(map(len, self._open.values())):
            self._close_one(self._of_the_busiest())

    def _wait(self, network: str, now: float) -> float:
        """Count a new connection of an address, and return its delay in seconds.

        A token bucket with twice the address's limit. A delayed connection takes its token in advance. A connection
        whose delay would be too long takes no token.
        """
        most = self._limits.an_address * 2
        if not most:
            return 0.0
        rate = most / _REFILL_SECONDS
        bucket = self._buckets.get(network)
        left = float(most) if bucket is None else min(most, bucket.left + (now - bucket.at) * rate)
        if len(self._buckets) > _MOST_KNOWN:
            self._buckets = {name: one for name, one in self._buckets.items() if now - one.at < _REFILL_SECONDS}
        wait = max(0.0, (1 - left) / rate)
        self._buckets[network] = _TokenBucket(left - 1 if wait < _MOST_WAIT_SECONDS else left, now)
        return wait

    def remove(self, connection: _Connection) -> None:
        """Remove a connection; do nothing if it was removed already."""
        self._delayed.discard(connection)
        same = self._open[connection.network]
        same.discard(connection)
        if not same:
            del self._open[connection.network]

    def _of_the_busiest(self) -> Iterable[_Connection]:
        """Return the waiting connections of the address that has most of them; if several are equal, of all these."""
        waiting = [[item for item in same if item.waits_since() is not None] for same in self._open.values()]
        most = max(map(len, waiting))
        return (item for same in waiting if len(same) == most for item in same)

    def _close_one(self, among: Iterable[_Connection]) -> None:
        """Close the connection that has waited longest. This is the new one if all others are being answered."""
        waiting = [(since, item) for item in among if (since := item.waits_since()) is not None]
        _, chosen = min(waiting, key=lambda pair: pair[0])
        self.remove(chosen)
        chosen.transport.abort()


def bounded_protocol(limits: ConnectionLimits) -> type[H11Protocol]:
    """Return the protocol class for `uvicorn.Config(http=...)` that enforces `limits`."""

    class BoundedConnection(_Connection):
        pass

    BoundedConnection.limits, BoundedConnection.table = limits, _ConnectionTable(limits)
    return BoundedConnection


def most_connections(wanted: int) -> int:
    """Return how many connections the process may hold, at most `wanted`, after raising its limit of open files.

    At its limit of open files, a server can accept no connection, not even to refuse it.
    """
    if resource is None or not wanted:
        return wanted
    needed = wanted * _HANDLES_EACH + _OTHER_HANDLES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= needed:
        return wanted
    if hard == resource.RLIM_INFINITY or hard > soft:
        soft = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return max(1, min(wanted, (soft - _OTHER_HANDLES) // _HANDLES_EACH))
