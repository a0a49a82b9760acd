"""Which site's turn is next: sites take turns, so that one that is asked without end holds up no other."""

from typing import Generic, NamedTuple, TypeVar

from pincite_server.http.admission.fair_queue import USUAL_COST, Lane, LanedQueue, Turn

__all__ = ("SiteQueue", "SiteTurn")

T = TypeVar("T")


class SiteTurn(NamedTuple, Generic[T]):
    """Whose turn is next."""

    site: str
    turn: Turn[T]


class SiteQueue(Generic[T]):
    """What waits, site by site; the site that has had least of the processor is next. Not safe between threads.

    Start-time fair queueing with equal shares, as between the lanes within a site; a site for which nothing has waited
    has saved nothing up.
    """

    def __init__(self) -> None:
        self._queues: dict[str, LanedQueue[T]] = {}
        self._due: dict[str, float] = {}  # seconds of work that a site has had
        self._now = 0.0  # what was due of the site that was next last

    def __len__(self) -> int:
        return sum(map(len, self._queues.values()))

    def add(self, site: str, lane: Lane, client: str, item: T) -> None:
        """Let something wait for a site behind what the client already has waiting there.

        Raises:
            Problem: The client has too much waiting (`rate_limited`), or the site's lane has (`overloaded`).
        """
        queue = self._queues.setdefault(site, LanedQueue())
        queue.add(lane, client, item)
        if len(queue) == 1:
            self._due[site] = max(self._due.get(site, 0.0), self._now)

    def take(self) -> SiteTurn[T] | None:
        """Return whose turn is next with the oldest item, which is removed; None when nothing waits."""
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
        """Count what a turn has cost, beyond what was counted when it began."""
        self._queues[taken.site].charge(taken.turn, seconds)
        self._due[taken.site] += max(0.0, seconds - USUAL_COST)

    def remove(self, site: str, lane: Lane, client: str, item: T) -> None:
        """Remove what no longer waits; nothing happens when it has been taken."""
        if site in self._queues:
            self._queues[site].remove(lane, client, item)
