"""Replies in the making: their typed events, and the broadcast that any number of subscribers follow."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import aclosing
from typing import Any

from msgspec import Struct

from pincite_server.answering.outcome import Outcome
from pincite_server.reply.records import Opening, Progress

__all__ = ("EndEvent", "MakeReply", "Publish", "ReplyBroadcast", "ReplyEvent", "StartEvent", "StatusEvent", "TextEvent")


class StatusEvent(Struct, frozen=True, tag_field="event", tag="status"):
    """The current step of a language model's work."""

    progress: Progress


class StartEvent(Struct, frozen=True, tag_field="event", tag="start"):
    """The beginning of an answer, published before its first text."""

    opening: Opening


class TextEvent(Struct, frozen=True, tag_field="event", tag="text"):
    """A piece of an answer's Markdown."""

    text: str


class EndEvent(Struct, frozen=True, tag_field="event", tag="end"):
    """The whole reply."""

    outcome: Outcome


ReplyEvent = StatusEvent | StartEvent | TextEvent | EndEvent
"""Status events come first. Then comes either the end alone, or a start, texts and the end."""

Publish = Callable[[ReplyEvent], None]
"""Adds an event to a reply."""

MakeReply = Callable[[Publish], Coroutine[Any, Any, Outcome]]
"""Makes a reply: publishes its events and returns its outcome. The broadcast then publishes the `EndEvent`, unless the
function has published it earlier, to continue with work that no subscriber waits for."""


class _EventList:
    """The events so far. It does not refer to the task, which would be a reference cycle through a task's error."""

    def __init__(self) -> None:
        self.events: list[ReplyEvent] = []
        self.changed = asyncio.Event()

    @property
    def has_ended(self) -> bool:
        return bool(self.events) and isinstance(self.events[-1], EndEvent)

    def publish(self, event: ReplyEvent) -> None:
        self.events.append(event)
        self.wake()

    def wake(self) -> None:
        """Wake the waiting subscribers, and replace the event for the next change."""
        self.changed.set()
        self.changed = asyncio.Event()

    async def record(self, make: MakeReply) -> None:
        outcome = await make(self.publish)
        if not self.has_ended:
            self.publish(EndEvent(outcome))


class ReplyBroadcast:
    """Owns the task that makes a reply, and the list of its events. The task stops when the last subscriber leaves.

    Create it and subscribe to it on the event loop. Without a subscriber, the task never stops early.

    Attributes:
        on_failure: Called when the task fails or is cancelled.
    """

    def __init__(self, make: MakeReply) -> None:
        self.on_failure: Callable[[], None] | None = None
        self._list = _EventList()
        self._subscribers = 0
        self._task = asyncio.create_task(self._list.record(make))
        self._task.add_done_callback(self._end)

    async def subscribe(self) -> AsyncGenerator[ReplyEvent]:
        """Yield every event from the first on, including events that are still to come.

        Raises:
            Exception: The task failed with this exception.
        """
        self._subscribers += 1
        try:
            position = 0
            while True:
                while position < len(self._list.events):
                    yield self._list.events[position]
                    position += 1
                if self._task.done():
                    self._task.result()
                    return
                await self._list.changed.wait()
        finally:
            self._subscribers -= 1
            if not (self._subscribers or self._task.done() or self._list.has_ended):
                self._task.cancel()
                self._failed()

    async def opened(self) -> tuple[ReplyEvent, AsyncGenerator[ReplyEvent]]:
        """Return the first event as soon as it exists, and an iterator over all events. Read or close the iterator.

        Raises:
            Exception: The task failed with this exception.
        """
        events = self.subscribe()
        first = await anext(events)
        return first, _from_first(first, events)

    async def outcome(self) -> Outcome:
        """Return the outcome of the whole reply.

        Raises:
            Exception: The task failed with this exception.
        """
        async with aclosing(self.subscribe()) as events:
            *_, last = [event async for event in events]
        assert isinstance(last, EndEvent)
        return last.outcome

    def _failed(self) -> None:
        if self.on_failure is not None:
            self.on_failure()

    def _end(self, task: asyncio.Task[None]) -> None:
        self._list.wake()
        if task.cancelled() or task.exception() is not None:
            self._failed()
        self.on_failure = None  # breaks a reference cycle: the callback holds this reply


async def _from_first(first: ReplyEvent, events: AsyncGenerator[ReplyEvent]) -> AsyncGenerator[ReplyEvent]:
    async with aclosing(events):
        yield first
        async for event in events:
            yield event
