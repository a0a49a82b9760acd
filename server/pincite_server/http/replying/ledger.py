"""A question is answered once for its `message_id`, however often and however concurrently it is sent."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID

from pincite_server.http.replying.live_reply import LiveReply
from pincite_server.http.transport.problems import Problem

__all__ = ("AnswerLedger",)

_KEPT_SECONDS = 600.0  # long enough for a widget's retries over a lost connection
_KEPT_ANSWERS = 500  # about 20 kB each at most, so that the ledger stays within 10 MB


@dataclass(slots=True)
class _Entry:
    fingerprint: bytes
    reply: LiveReply
    expires_at: float


class AnswerLedger:
    """Remembers replies by `message_id` for ten minutes, in memory and bounded; the oldest go first.

    Args:
        clock: Seconds that only grow.
        capacity: How many replies are kept at most.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic, capacity: int = _KEPT_ANSWERS) -> None:
        self._clock = clock
        self._capacity = capacity
        self._entries: dict[UUID, _Entry] = {}  # in the order of arrival, hence of expiry

    def __len__(self) -> int:
        return len(self._entries)

    def once(self, message_id: UUID, fingerprint: bytes, begin: Callable[[], LiveReply]) -> LiveReply:
        """Return the reply to `message_id`, begun only for the first who asks; follow it, or it is never stopped.

        A reply that failed, or that everybody left before its end, is forgotten, so that a retry works.

        Args:
            message_id: The client's id of the question.
            fingerprint: What must be equal for two questions to be the same.
            begin: Begins to answer.

        Raises:
            Problem: The same id with another fingerprint (`message_id_conflict`).
        """
        self._make_room()
        entry = self._entries.get(message_id)
        if entry is None:
            entry = _Entry(fingerprint, begin(), self._clock() + _KEPT_SECONDS)
            self._entries[message_id] = entry
            entry.reply.on_failure = lambda: self._forget(message_id, entry)
        elif entry.fingerprint != fingerprint:
            raise Problem("message_id_conflict")
        return entry.reply

    def _forget(self, message_id: UUID, entry: _Entry) -> None:
        if self._entries.get(message_id) is entry:
            del self._entries[message_id]

    def _make_room(self) -> None:
        now = self._clock()
        while self._entries:
            message_id, entry = next(iter(self._entries.items()))
            if entry.expires_at > now and len(self._entries) < self._capacity:
                break
            del self._entries[message_id]
