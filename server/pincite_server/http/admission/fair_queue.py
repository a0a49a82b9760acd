"""Fair queueing of requests by site, lane and client, so that none of them delays the others."""

from collections import defaultdict, deque
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Generic, Literal, TypeVar

from pincite_server.http.transport.problems import Problem

__all__ = ("SHARES", "USUAL_COST", "FairQueue", "Lane", "WeightedFairQueue")

Lane = Literal["readers", "anonymous"]

SHARES: Mapping[str, float] = MappingProxyType({"readers": 0.9, "anonymous": 0.1})
"""Shares of the processor while both lanes wait. Anybody can pose as any number of anonymous clients.
A session token comes with an answer and identifies one reader, which gets a reader's share."""

MOST_WAITING_OF_ONE = 64  # requests of one client, such as an address of many new readers: some two seconds a core
MOST_WAITING = 512  # requests; they take some twenty seconds a core, so later clients are told to retry
USUAL_COST = 0.02
"""Seconds of processor time charged when a request is taken; the real cost is known when it ends."""

_MOST_REMEMBERED = 2000  # clients; idle clients without debt are forgotten
_RETRY_AFTER = {"Retry-After": "5"}

K = TypeVar("K")
T = TypeVar("T")
Path = tuple[str, ...]


class FairQueue(Generic[K, T]):
    """Fair queue of waiting items by client: the client that has used least processor time lately is next.

    Fair queueing (Demers, Keshav and Shenker 1989) delays a client's next turn by the cost of its last one. So two
    clients that ask without end get half of the processor each, whatever their requests cost. An idle client
    accumulates no credit. The queue is not thread-safe.
    """

    def __init__(self, most_of_one: int = MOST_WAITING_OF_ONE, most: int = MOST_WAITING) -> None:
        self._waiting: dict[K, deque[T]] = {}
        self._due: dict[K, float] = {}  # virtual time of a client's next turn, in seconds of work since the start
        self._now = 0.0
        self._most_of_one = most_of_one
        self._most = most

    def __len__(self) -> int:
        return sum(map(len, self._waiting.values()))

    def add(self, client: K, item: T) -> None:
        """Append an item to a client's queue.

        Raises:
            Problem: The client has too many waiting items (`rate_limited`), or all clients together (`overloaded`).
        """
        own = self._waiting.get(client)
        if own is not None and len(own) >= self._most_of_one:
            detail = "Too many of your requests are waiting for an answer. Wait for some of them, then ask again."
            raise Problem("rate_limited", detail, _RETRY_AFTER)
        if len(self) >= self._most:
            raise Problem("overloaded", headers=_RETRY_AFTER)
        if own is None:
            own = self._waiting[client] = deque()
            self._due[client] = max(self._now, self._due.get(client, 0.0))
        own.append(item)

    def take(self) -> tuple[K, T] | None:
        """Remove and return the oldest item of the next client, with the client's name; None if the queue is empty."""
        if not self._waiting:
            return None
        client = min(self._waiting, key=self._due.__getitem__)  # the first of equals has waited longest
        self._now = max(self._now, self._due[client])
        self._due[client] += USUAL_COST
        self._advance(USUAL_COST)
        own = self._waiting.pop(client)
        item = own.popleft()
        if own:
            self._waiting[client] = own  # behind clients that are due at the same time
        if len(self._due) > _MOST_REMEMBERED:
            self._due = {name: due for name, due in self._due.items() if due > self._now or name in self._waiting}
        return client, item

    def charge(self, client: K, seconds: float) -> None:
        """Charge the cost of a finished item, in seconds, beyond the cost charged when it was taken."""
        more = max(0.0, seconds - USUAL_COST)
        if client in self._due:
            self._due[client] += more
        self._advance(more)

    def remove(self, client: K, item: T) -> None:
        """Remove a waiting item; do nothing if it was taken already."""
        own = self._waiting.get(client, deque())
        if item in own:
            own.remove(item)
            if not own:
                del self._waiting[client]

    def _advance(self, seconds: float) -> None:
        """Advance the virtual time by each client's share; otherwise endless new clients would starve all others."""
        self._now += seconds / max(1, len(self._waiting))


class WeightedFairQueue(Generic[T]):
    """Fair queue of queues: the inner queue that has used least processor time for its share is next.

    Start-time fair queueing (Goyal, Vin and Cheng 1996); an empty queue accumulates no credit. A path names the inner
    queue, then the queues in it, and last the client.

    `inner` creates an inner queue at its first item. `shares` are fractions of the processor while all queues wait; the
    share of other queues is 1.
    """

    def __init__(
        self,
        inner: "Callable[[], WeightedFairQueue[T] | FairQueue[Path, T]]",
        shares: Mapping[str, float] | None = None,
    ) -> None:
        self._inner = inner
        self._shares = shares or {}
        self._queues = {name: inner() for name in self._shares}
        self._due: dict[str, float] = defaultdict(float)  # seconds of work of a queue, divided by its share
        self._now = 0.0  # virtual time: the due time of the queue that was last served

    def __len__(self) -> int:
        return sum(map(len, self._queues.values()))

    def add(self, path: Path, item: T) -> None:
        """Append an item to the queue at a path; raise as `FairQueue.add` does."""
        name = path[0]
        if name not in self._queues:
            self._queues[name] = self._inner()
        self._queues[name].add(path[1:], item)
        if len(self._queues[name]) == 1:
            self._due[name] = max(self._due[name], self._now)

    def take(self) -> tuple[Path, T] | None:
        """Remove and return the next item with its path; None if all queues are empty."""
        waiting = [name for name, queue in self._queues.items() if len(queue)]
        if not waiting:
            return None
        name = min(waiting, key=self._due.__getitem__)
        taken = self._queues[name].take()
        assert taken is not None
        self._now = self._due[name]
        self._due[name] += USUAL_COST / self._shares.get(name, 1.0)
        return (name, *taken[0]), taken[1]

    def charge(self, path: Path, seconds: float) -> None:
        """Charge the cost of a finished item, in seconds, beyond the cost charged when it was taken."""
        self._queues[path[0]].charge(path[1:], seconds)
        self._due[path[0]] += max(0.0, seconds - USUAL_COST) / self._shares.get(path[0], 1.0)

    def remove(self, path: Path, item: T) -> None:
        """Remove a waiting item; do nothing if it was taken already."""
        if path[0] in self._queues:
            self._queues[path[0]].remove(path[1:], item)
