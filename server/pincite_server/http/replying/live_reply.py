"""A reply in progress that any number of readers follow from its beginning."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import aclosing
from typing import Any, TypeVar

from litestar import Request

from pincite_server.answering.outcome import Outcome, Step
from pincite_server.http.transport.problems import ClientDisconnected

__all__ = ("LiveReply", "unless_disconnected")


def _nothing() -> None: ...


class LiveReply:
    """Records the steps of a reply as they come. The work stops when the last reader has left.

    Create and follow it on the event loop.

    Args:
        steps: The steps of the reply; the last one is the whole reply.
        on_failure: Called when the work has failed or is cancelled.
    """

    def __init__(
        self,
        steps: AsyncGenerator[Step],
        on_failure: Callable[[], None] = _nothing,
    ) -> None:
        self.on_failure = on_failure
        self._steps: list[Step] = []
        self._changed = asyncio.Event()
        self._followers = 0
        self._work = asyncio.create_task(self._record(steps))
        self._work.add_done_callback(self._end)

    async def follow(self) -> AsyncGenerator[Step]:
        """Yield every step from the first on, including steps that are still to come.

        Raises:
            Exception: The work failed with this exception.
        """
        self._followers += 1
        try:
            position = 0
            while True:
                while position < len(self._steps):
                    yield self._steps[position]
                    position += 1
                if self._work.done():
                    self._work.result()
                    return
                await self._changed.wait()
        finally:
            self._followers -= 1
            if not self._followers and not self._is_whole():
                self._work.cancel()
                self.on_failure()

    async def opened(self) -> tuple[Step, AsyncGenerator[Step]]:
        """Return the first step as soon as it exists, and an iterator over all steps. Follow or close the iterator.

        Raises:
            Exception: The work failed with this exception.
        """
        steps = self.follow()
        first = await anext(steps)
        return first, _from_first(first, steps)

    async def whole(self) -> Outcome:
        """Return the whole reply with its metadata.

        Raises:
            Exception: The work failed with this exception.
        """
        async with aclosing(self.follow()) as steps:
            *_, last = [step async for step in steps]
        assert isinstance(last, Outcome)
        return last

    async def _record(self, steps: AsyncGenerator[Step]) -> None:
        try:
            async with aclosing(steps):
                async for step in steps:
                    self._steps.append(step)
                    self._announce()
        finally:
            del self  # breaks a reference cycle: task, its cancellation error, the error's frame

    def _is_whole(self) -> bool:
        """Return whether the last step has come, even if the work has still to clean up."""
        return self._work.done() or (bool(self._steps) and isinstance(self._steps[-1], Outcome))

    def _announce(self) -> None:
        """Wake the waiting readers, and replace the event for the next step."""
        self._changed.set()
        self._changed = asyncio.Event()

    def _end(self, work: asyncio.Task[None]) -> None:
        self._announce()
        if work.cancelled() or work.exception() is not None:
            self.on_failure()
        self.on_failure = _nothing  # breaks a reference cycle: the callback holds this reply


async def _from_first(first: Step, steps: AsyncGenerator[Step]) -> AsyncGenerator[Step]:
    async with aclosing(steps):
        yield first
        async for step in steps:
            yield step


T = TypeVar("T")


async def unless_disconnected(request: Request[Any, Any, Any], work: Coroutine[Any, Any, T]) -> T:
    """Return the result of `work`; cancel it if the client disconnects first.

    Raises:
        ClientDisconnected: The client disconnected.
    """
    task = asyncio.ensure_future(work)
    watcher = asyncio.ensure_future(_disconnection(request))
    try:
        await asyncio.wait({task, watcher}, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise ClientDisconnected(detail="the client went away")  # the framework has no phrase for status 499
        return task.result()
    finally:
        task.cancel()
        watcher.cancel()
        await asyncio.gather(task, watcher, return_exceptions=True)


async def _disconnection(request: Request[Any, Any, Any]) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
