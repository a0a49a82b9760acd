"""A question is answered once for its `message_id`, however often and however concurrently it is sent."""

import asyncio
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from pincite_server.http.problems import Problem
from pincite_server.model import Answer, Refusal

__all__ = ("AnswerLedger", "Answered")

_KEPT_SECONDS = 600.0  # long enough for a widget's retries over a lost connection
_KEPT_ANSWERS = 2000  # about 20 kB each at most, so that the ledger stays within 40 MB


@dataclass(frozen=True, slots=True)
class Answered:
    """A reply and the index that gave it, which may have been replaced since."""

    reply: Answer | Refusal
    index_id: str
    built_at: str | None


@dataclass(slots=True)
class _Entry:
    fingerprint: bytes
    task: asyncio.Task[Answered]
    expires_at: float
    waiting: int = 0


class AnswerLedger:
    """Remembers answers by `message_id` for ten minutes, in memory and bounded; the oldest go first.

    Args:
        clock: Seconds that only grow.
        capacity: How many answers are kept at most.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic, capacity: int = _KEPT_ANSWERS) -> None:
        self._clock = clock
        self._capacity = capacity
        self._entries: dict[UUID, _Entry] = {}  # in the order of arrival, hence of expiry

    def __len__(self) -> int:
        return len(self._entries)

    async def once(
        self, message_id: UUID, fingerprint: bytes, work: Callable[[], Coroutine[Any, Any, Answered]]
    ) -> Answered:
        """Return the answer to `message_id`, doing `work` only for the first who asks.

        The work is cancelled when nobody waits for it any more; one that failed is forgotten, so a retry works.

        Args:
            message_id: The client's id of the question.
            fingerprint: What must be equal for two questions to be the same.
            work: Makes the coroutine that answers.

        Raises:
            Problem: The same id with another fingerprint (`message_id_conflict`).
        """
        self._make_room()
        entry = self._entries.get(message_id)
        if entry is None:
            entry = self._begin(message_id, fingerprint, work)
        elif entry.fingerprint != fingerprint:
            raise Problem("message_id_conflict")
        return await self._wait(message_id, entry)

    def _begin(self, message_id: UUID, fingerprint: bytes, work: Callable[[], Coroutine[Any, Any, Answered]]) -> _Entry:
        entry = _Entry(fingerprint, asyncio.create_task(work()), self._clock() + _KEPT_SECONDS)
        self._entries[message_id] = entry
        return entry

    async def _wait(self, message_id: UUID, entry: _Entry) -> Answered:
        entry.waiting += 1
        try:
            return await asyncio.shield(entry.task)
        except BaseException:
            if entry.waiting == 1:
                entry.task.cancel()
            if not _succeeded(entry.task):
                self._forget(message_id, entry)
            raise
        finally:
            entry.waiting -= 1

    def _forget(self, message_id: UUID, entry: _Entry) -> None:
        if self._entries.get(message_id) is entry:
            del self._entries[message_id]

    def _make_room(self) -> None:
        now = self._clock()
        for message_id, entry in list(self._entries.items()):
            if entry.expires_at > now and len(self._entries) < self._capacity:
                break
            del self._entries[message_id]


def _succeeded(task: asyncio.Task[Answered]) -> bool:
    return task.done() and not task.cancelled() and task.exception() is None
