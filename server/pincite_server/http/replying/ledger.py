"""Deduplicates questions by `message_id` within one process."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID

from pincite_server.answering.reply_broadcast import ReplyBroadcast
from pincite_server.http.transport.problems import Problem

__all__ = ("AnswerLedger",)

_RETENTION_SECONDS = 600.0  # long enough for a widget's retries over a lost connection
_MOST_ANSWERS = 500  # about 20 kB each at most, so that the ledger stays within 10 MB


@dataclass(slots=True)
class _Entry:
    fingerprint: bytes
    reply: ReplyBroadcast
    expires_at: float


class AnswerLedger:
    """Bounded in-memory store of replies by `message_id` for ten minutes; the oldest are dropped first.

    `clock` is a monotonic clock in seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic, capacity: int = _MOST_ANSWERS) -> None:
        self._clock = clock
        self._capacity = capacity
        self._entries: dict[UUID, _Entry] = {}  # in the order of arrival, which is the order of expiry

    def __len__(self) -> int:
        return len(self._entries)

    def once(self, message_id: UUID, fingerprint: bytes, begin: Callable[[], ReplyBroadcast]) -> ReplyBroadcast:
        """Return the reply to `message_id`, starting it if there is none. The caller must follow it, or it never stops.

        A reply is forgotten if it failed, or if all readers left before its end. So a retry works.

        The fingerprint is equal for two requests with the same question.

        Raises:
            Problem: The id was used with another fingerprint (`message_id_conflict`).
        """
        self._make_room()
        entry = self._entries.get(message_id)
        if entry is None:
            entry = _Entry(fingerprint, begin(), self._clock() + _RETENTION_SECONDS)
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
