"""Fair queueing of requests by client, so that no client delays the others."""

from collections import deque
from collections.abc import Mapping
from types import MappingProxyType
from typing import Generic, Literal, NamedTuple, TypeVar

from pincite_server.http.transport.problems import Problem

__all__ = ("USUAL_COST", "FairQueue", "Lane", "LanedQueue", "Turn")

Lane = Literal["readers", "newcomers"]

SHARES: Mapping[Lane, float] = MappingProxyType({"readers": 0.9, "newcomers": 0.1})
"""Shares of the processor while both lanes wait. Anybody can pose as any number of anonymous clients ("newcomers").
A session token comes with an answer and identifies one reader, which gets a reader's share."""

MOST_WAITING_OF_ONE = 64  # requests of one client, such as an address of many new readers: some two seconds a core
MOST_WAITING = 512  # requests; they take some twenty seconds a core, so later clients are told to retry
USUAL_COST = 0.02
"""Seconds of processor time charged when a turn begins; the real cost is known when it ends."""

_MOST_REMEMBERED = 2000  # clients; idle clients without debt are forgotten
_RETRY_AFTER = {"Retry-After": "5"}

T = TypeVar("T")


class FairQueue(Generic[T]):
    """Fair queue of waiting items by client: the client that has used least processor time lately is next.

    Fair queueing (Demers, Keshav and Shenker 1989) delays a client's next turn by the cost of its last one. So two
    clients that ask without end get half of the processor each, whatever their requests cost. An idle client
    accumulates no credit. The queue is not thread-safe.

    Args:
        most_of_one: The largest number of waiting items of one client.
        most: The largest number of waiting items of all clients together.
    """

    def __init__(self, most_of_one: int = MOST_WAITING_OF_ONE, most: int = MOST_WAITING) -> None:
        self._waiting: dict[str, deque[T]] = {}
        self._due: dict[str, float] = {}  # virtual time of a client's next turn, in seconds of work since the start
        self._now = 0.0
        self._most_of_one = most_of_one
        self._most = most
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(self, client: str, item: T) -> None:
        """Append an item to a client's queue.

        Raises:
            Problem: The client has too many waiting items (`rate_limited`), or all clients together (`overloaded`).
        """
        own = self._waiting.get(client)
        if own is not None and len(own) >= self._most_of_one:
            detail = "Too many of your requests are waiting for an answer. Wait for some of them, then ask again."
            raise Problem("rate_limited", detail, _RETRY_AFTER)
        if self._count >= self._most:
            raise Problem("overloaded", headers=_RETRY_AFTER)
        if own is None:
            self._due[client] = max(self._now, self._due.get(client, 0.0))
        self._waiting.setdefault(client, deque()).append(item)
        self._count += 1

    def take(self) -> tuple[str, T] | None:
        """Remove and return the oldest item of the next client, with the client's name; None if the queue is empty."""
        if not self._waiting:
            return None
        client = min(self._waiting, key=self._due.__getitem__)  # the first of equals has waited longest
        self._now = max(self._now, self._due[client])
        self._due[client] += USUAL_COST
        self._pass(USUAL_COST)
        item = self._removed_first(client)
        if len(self._due) > _MOST_REMEMBERED:
            self._due = {name: due for name, due in self._due.items() if due > self._now or name in self._waiting}
        return client, item

    def charge(self, client: str, seconds: float) -> None:
        """Charge the cost of a turn, in seconds, beyond the cost charged when it began."""
        more = max(0.0, seconds - USUAL_COST)
        if client in self._due:
            self._due[client] += more
        self._pass(more)

    def remove(self, client: str, item: T) -> None:
        """Remove a waiting item; do nothing if it was taken already."""
        own = self._waiting.get(client)
        if own is None or item not in own:
            return
        own.remove(item)
        self._count -= 1
        if not own:
            del self._waiting[client]

    def _pass(self, seconds: float) -> None:
        """Advance the virtual time by each client's share; otherwise endless new clients would starve all others."""
        self._now += seconds / max(1, len(self._waiting))

    def _removed_first(self, client: str) -> T:
        own = self._waiting.pop(client)
        item = own.popleft()
        self._count -= 1
        if own:
            self._waiting[client] = own  # behind clients that are due at the same time
        return item


class Turn(NamedTuple, Generic[T]):
    """The next item, with its lane and client."""

    lane: Lane
    client: str
    item: T


class LanedQueue(Generic[T]):
    """Fair queue of waiting items by lane: the lane that has used least processor time for its share is next.

    Start-time fair queueing (Goyal, Vin and Cheng 1996); an empty lane accumulates no credit.

    Args:
        shares: Each lane's fraction of the processor while all lanes wait.
    """

    def __init__(self, shares: Mapping[Lane, float] = SHARES) -> None:
        self._queues: dict[Lane, FairQueue[T]] = {lane: FairQueue() for lane in shares}
        self._shares = shares
        self._due = dict.fromkeys(shares, 0.0)  # seconds of work of a lane, divided by its share
        self._now = 0.0  # virtual time: the due time of the lane that was last served

    def __len__(self) -> int:
        return sum(map(len, self._queues.values()))

    def add(self, lane: Lane, client: str, item: T) -> None:
        """Append an item to a client's queue in a lane.

        Raises:
            Problem: The client has too many waiting items (`rate_limited`), or the lane has (`overloaded`).
        """
        queue = self._queues[lane]
        queue.add(client, item)
        if len(queue) == 1:
            self._due[lane] = max(self._due[lane], self._now)

    def take(self) -> Turn[T] | None:
        """Remove and return the next item, chosen by lane and then by client; None if all lanes are empty."""
        waiting = [lane for lane, queue in self._queues.items() if len(queue)]
        if not waiting:
            return None
        lane = min(waiting, key=self._due.__getitem__)
        taken = self._queues[lane].take()
        assert taken is not None
        self._now = self._due[lane]
        self._due[lane] += USUAL_COST / self._shares[lane]
        return Turn(lane, *taken)

    def charge(self, turn: Turn[T], seconds: float) -> None:
        """Charge the cost of a turn, in seconds, beyond the cost charged when it began."""
        self._queues[turn.lane].charge(turn.client, seconds)
        self._due[turn.lane] += max(0.0, seconds - USUAL_COST) / self._shares[turn.lane]

    def remove(self, lane: Lane, client: str, item: T) -> None:
        """Remove a waiting item; do nothing if it was taken already."""
        self._queues[lane].remove(client, item)
