"""Queues that hold back written units, in order, until a second request to the model has returned."""

import asyncio
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Sequence

from pincite_server.answering.written.gate import JudgedUnit

__all__ = ("UnitQueue", "UnitQueues")


class UnitQueue(ABC):
    """Holds back units until the model has processed those that are due.

    One request runs at a time. Units that become due meanwhile go into the next request. A failed request leaves its
    units unchanged. With `asks_at_end` there is only one request, after the last unit.
    """

    asks_at_end = False

    def __init__(self) -> None:
        self._waiting: deque[JudgedUnit] = deque()
        self._open: dict[int, JudgedUnit] = {}  # by identity: units that are due and not in a request yet
        self._settled: dict[int, JudgedUnit] = {}
        self._request: asyncio.Task[Sequence[JudgedUnit]] | None = None
        self._asked: list[JudgedUnit] = []

    @abstractmethod
    def _is_due(self, unit: JudgedUnit) -> bool:
        """Whether a unit should go to the model."""

    @abstractmethod
    async def _settled_by_model(self, units: Sequence[JudgedUnit], /) -> Sequence[JudgedUnit]:
        """Return the units in order, changed by the model's reply."""

    def add(self, unit: JudgedUnit) -> None:
        """Add the next unit."""
        self._waiting.append(unit)
        if self._is_due(unit):
            self._open[id(unit)] = unit
        if self._request is None and self._open and not self.asks_at_end:
            self._ask()

    @property
    def holds_back(self) -> bool:
        """Whether units are waiting."""
        return bool(self._waiting)

    def ready(self) -> list[JudgedUnit]:
        """Return the units that no longer wait, in order."""
        if self._request is not None and self._request.done():
            self._settle()
        found: list[JudgedUnit] = []
        pending = {*self._open, *map(id, self._asked)}
        while self._waiting and id(self._waiting[0]) not in pending:
            unit = self._waiting.popleft()
            found.append(self._settled.pop(id(unit), unit))
        return found

    async def rest(self) -> list[JudgedUnit]:
        """Wait for the model and return the remaining units."""
        if self._request is None and self._open:
            self._ask()
        while self._request is not None:
            await asyncio.wait({self._request})
            self._settle()
        return self.ready()

    async def aclose(self) -> None:
        """Cancel the running request."""
        if self._request is not None:
            self._request.cancel()
            await asyncio.gather(self._request, return_exceptions=True)

    def _ask(self) -> None:
        self._asked = list(self._open.values())
        self._open.clear()
        self._request = asyncio.create_task(self._settled_by_model(self._asked))

    def _settle(self) -> None:
        assert self._request is not None
        for unit, settled in zip(self._asked, self._request.result(), strict=True):
            self._settled[id(unit)] = settled
        self._asked, self._request = [], None
        if self._open:
            self._ask()


class UnitQueues:
    """A chain of queues: units that leave the first queue enter the second."""

    def __init__(self, queues: Sequence[UnitQueue]) -> None:
        self._queues = tuple(queues)

    def take(self, unit: JudgedUnit) -> list[JudgedUnit]:
        """Add the next unit, and return the units that have left the last queue, in order."""
        units = [unit]
        for queue in self._queues:
            for one in units:
                queue.add(one)
            units = queue.ready()
        return units

    @property
    def hold_back(self) -> bool:
        """Whether units are waiting."""
        return any(queue.holds_back for queue in self._queues)

    async def rest(self) -> list[JudgedUnit]:
        """Wait for the model and return the remaining units."""
        units: list[JudgedUnit] = []
        for queue in self._queues:
            for one in units:
                queue.add(one)
            units = await queue.rest()
        return units

    async def aclose(self) -> None:
        """Cancel the running requests."""
        for queue in self._queues:
            await queue.aclose()
