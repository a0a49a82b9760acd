"""Who is next: clients take turns, so that nobody waits behind all that another one asks."""

from collections import deque
from collections.abc import Mapping
from types import MappingProxyType
from typing import Generic, Literal, NamedTuple, TypeVar

from pincite_server.http.transport.problems import Problem

__all__ = ("USUAL_COST", "FairQueue", "Lane", "LanedQueue", "Turn")

Lane = Literal["readers", "newcomers"]

SHARES: Mapping[Lane, float] = MappingProxyType({"readers": 0.9, "newcomers": 0.1})
"""Of the processor while both lanes wait. Anybody can be as many newcomers as he likes; who carries a pass that was
handed out with an answer can be one reader, and gets a reader's share."""

MOST_WAITING_OF_ONE = 64  # of an address, behind which many new readers may be; they last some two seconds a core
MOST_WAITING = 512  # some twenty seconds a core: who comes then had better come back
USUAL_COST = 0.02
"""Seconds of processor time, counted when a turn begins; what it was is known when it ends."""

_MOST_REMEMBERED = 2000  # clients; those whose next turn would be now are forgotten
_RETRY_AFTER = {"Retry-After": "5"}

T = TypeVar("T")


class FairQueue(Generic[T]):
    """What waits, client by client; whoever has taken least of the processor lately is next. Not safe between threads.

    Clients take turns by fair queueing (Demers, Keshav and Shenker 1989): a turn is put off by what the client's last
    one cost, so that of two clients who ask without end each gets half of the processor, however dear one's requests
    are; and who has not asked for a while has saved nothing up.

    Args:
        most_of_one: How much may wait of one client.
        most: How much may wait of all together.
    """

    def __init__(self, most_of_one: int = MOST_WAITING_OF_ONE, most: int = MOST_WAITING) -> None:
        self._waiting: dict[str, deque[T]] = {}
        self._due: dict[str, float] = {}  # when a client's next turn is, in seconds of work since the start
        self._now = 0.0
        self._most_of_one = most_of_one
        self._most = most
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(self, client: str, item: T) -> None:
        """Let something wait behind what the client already has waiting.

        Raises:
            Problem: The client has too much waiting (`rate_limited`), or all together have (`overloaded`).
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
        """Return whose turn is next and the client's oldest item, which is removed; None when nothing waits."""
        if not self._waiting:
            return None
        client = min(self._waiting, key=self._due.__getitem__)  # of equals, who has waited longest
        self._now = max(self._now, self._due[client])
        self._due[client] += USUAL_COST
        self._pass(USUAL_COST)
        item = self._removed_first(client)
        if len(self._due) > _MOST_REMEMBERED:
            self._due = {name: due for name, due in self._due.items() if due > self._now or name in self._waiting}
        return client, item

    def charge(self, client: str, seconds: float) -> None:
        """Count what a turn has cost, beyond what was counted when it began."""
        more = max(0.0, seconds - USUAL_COST)
        if client in self._due:
            self._due[client] += more
        self._pass(more)

    def remove(self, client: str, item: T) -> None:
        """Remove what no longer waits; nothing happens when it has been taken."""
        own = self._waiting.get(client)
        if own is None or item not in own:
            return
        own.remove(item)
        self._count -= 1
        if not own:
            del self._waiting[client]

    def _pass(self, seconds: float) -> None:
        """Let time go on by each one's share, or an endless row of new clients would keep all others waiting."""
        self._now += seconds / max(1, len(self._waiting))

    def _removed_first(self, client: str) -> T:
        own = self._waiting.pop(client)
        item = own.popleft()
        self._count -= 1
        if own:
            self._waiting[client] = own  # behind those whose turn comes at the same time
        return item


class Turn(NamedTuple, Generic[T]):
    """Whose turn is next."""

    lane: Lane
    client: str
    item: T


class LanedQueue(Generic[T]):
    """What waits, lane by lane; the lane that has had least of the processor for its share is next.

    Start-time fair queueing (Goyal, Vin and Cheng 1996); a lane in which nothing has waited has saved nothing up.

    Args:
        shares: What each lane gets while all wait, as parts of 1.
    """

    def __init__(self, shares: Mapping[Lane, float] = SHARES) -> None:
        self._queues: dict[Lane, FairQueue[T]] = {lane: FairQueue() for lane in shares}
        self._shares = shares
        self._due = dict.fromkeys(shares, 0.0)  # seconds of work that a lane has had, divided by its share
        self._now = 0.0  # what was due of the lane that was next last

    def __len__(self) -> int:
        return sum(map(len, self._queues.values()))

    def add(self, lane: Lane, client: str, item: T) -> None:
        """Let something wait in a lane behind what the client already has waiting there.

        Raises:
            Problem: The client has too much waiting (`rate_limited`), or the lane has (`overloaded`).
        """
        queue = self._queues[lane]
        queue.add(client, item)
        if len(queue) == 1:
            self._due[lane] = max(self._due[lane], self._now)

    def take(self) -> Turn[T] | None:
        """Return whose turn is next with the oldest item, which is removed; None when nothing waits."""
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
        """Count what a turn has cost, beyond what was counted when it began."""
        self._queues[turn.lane].charge(turn.client, seconds)
        self._due[turn.lane] += max(0.0, seconds - USUAL_COST) / self._shares[turn.lane]

    def remove(self, lane: Lane, client: str, item: T) -> None:
        """Remove what no longer waits; nothing happens when it has been taken."""
        self._queues[lane].remove(client, item)
