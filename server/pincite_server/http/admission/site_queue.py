"""Fair queueing between sites, so that a busy site does not delay the others."""

from typing import Generic, NamedTuple, TypeVar

from pincite_server.http.admission.fair_queue import USUAL_COST, Lane, LanedQueue, Turn

__all__ = ("SiteQueue", "SiteTurn")

T = TypeVar("T")


class SiteTurn(NamedTuple, Generic[T]):
    """The next turn, with its site."""

    site: str
    turn: Turn[T]


class SiteQueue(Generic[T]):
    """Fair queue of waiting items by site: the site that has used least processor time is next. Not thread-safe.

    Start-time fair queueing with equal shares, as for the lanes within a site. An idle site accumulates no credit.
    """

    def __init__(self) -> None:
        self._queues: dict[str, LanedQueue[T]] = {}
        self._due: dict[str, float] = {}  # seconds of work of a site
        self._now = 0.0  # virtual time: the due time of the site that was last served

    def __len__(self) -> int:
        return sum(map(len, self._queues.values()))

    def add(self, site: str, lane: Lane, client: str, item: T) -> None:
        """Append an item to a client's queue for a site.

        Raises:
            Problem: The client has too many waiting items (`rate_limited`), or the site's lane has (`overloaded`).
        """
        queue = self._queues.setdefault(site, LanedQueue())
        queue.add(lane, client, item)
        if len(queue) == 1:
            self._due[site] = max(self._due.get(site, 0.0), self._now)

    def take(self) -> SiteTurn[T] | None:
        """Remove and return the next item of the next site; None if nothing waits."""
        waiting = [site for site, queue in self._queues.items() if len(queue)]
        if not waiting:
            return None
        site = min(waiting, key=self._due.__getitem__)
        turn = self._queues[site].take()
        assert turn is not None
        self._now = self._due[site]
        self._due[site] += USUAL_COST
        return SiteTurn(site, turn)

    def charge(self, taken: SiteTurn[T], seconds: float) -> None:
        """Charge the cost of a turn, in seconds, beyond the cost charged when it began."""
        self._queues[taken.site].charge(taken.turn, seconds)
        self._due[taken.site] += max(0.0, seconds - USUAL_COST)

    def remove(self, site: str, lane: Lane, client: str, item: T) -> None:
        """Remove a waiting item; do nothing if it was taken already."""
        if site in self._queues:
            self._queues[site].remove(lane, client, item)
