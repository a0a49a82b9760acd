"""Deduplicates questions by `message_id` across several sidecars that share a Valkey store."""

import asyncio
import secrets
from collections.abc import Callable
from contextlib import suppress
from typing import Any
from uuid import UUID

import msgspec

from pincite_server.answering.outcome import Outcome
from pincite_server.answering.reply_broadcast import EndEvent, MakeReply, Publish
from pincite_server.http.transport.problems import Problem
from pincite_server.reply.records import Answer, Refusal
from pincite_server.state.link import KEYS, StateAwayError, StateLink

__all__ = ("SharedReplies",)

_RETENTION_SECONDS = 600  # the same as in each process's `AnswerLedger`
_CLAIM_MS = 3000  # after this, another sidecar may answer instead of a killed one
_RENEWAL_SECONDS = 1.0
_LOOK_SECONDS = 0.05  # between checks whether another sidecar has answered

_NAMESPACE = f"{KEYS}reply"
_OWNER_BYTES = 16

_CLAIM = b"""
local held = redis.call('GET', KEYS[1])
if held then return held end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return false
"""
_RENEW = b"if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end return 0"
_RELEASE = b"if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0"


class _StoredReply(msgspec.Struct, frozen=True, array_like=True):
    """The stored value of a message's id: the claim of a sidecar, and the reply once it exists."""

    fingerprint: bytes
    owner: bytes = b""
    reply: Answer | Refusal | None = None
    pieces: tuple[str, ...] = ()


_decoder = msgspec.json.Decoder(_StoredReply)


class SharedReplies:
    """Shares replies between sidecars: one answers, the others return its reply. Without a link, each sidecar answers.

    The answering sidecar claims the id and renews the claim every second. If it is killed, the claim expires, and the
    next sidecar that is asked answers.
    """

    def __init__(self, link: StateLink | None = None) -> None:
        self._link = link
        if link is not None:
            from litestar.stores.valkey import ValkeyStore  # imported here with its client, which is an optional extra

            self._finished = ValkeyStore(link.client, namespace=_NAMESPACE)
            self._claim, self._renew, self._release = map(link.client.register_script, (_CLAIM, _RENEW, _RELEASE))

    async def once(self, message_id: UUID, fingerprint: bytes, make: MakeReply, publish: Publish) -> Outcome:
        """Return the reply to a message: another sidecar's stored reply, otherwise the one that `make` makes.

        Raises:
            Problem: The id was used with another fingerprint (`message_id_conflict`).
        """
        own = msgspec.json.encode(_StoredReply(fingerprint, secrets.token_bytes(_OWNER_BYTES)))
        try:
            stored = await self._stored_or_claimed(message_id, fingerprint, own)
        except StateAwayError:
            stored = None
        if stored is not None:
            return stored
        if self._link is None:
            return await make(publish)
        renewing = asyncio.create_task(self._renew_claim(message_id, own))
        try:
            outcome = await make(publish)
            publish(EndEvent(outcome))  # readers do not wait until the reply is stored
            encoded = msgspec.json.encode(_StoredReply(fingerprint, reply=outcome.reply, pieces=outcome.pieces))
            with suppress(StateAwayError):
                await self._ask(lambda: self._finished.set(str(message_id), encoded, expires_in=_RETENTION_SECONDS))
            return outcome
        finally:
            renewing.cancel()
            with suppress(StateAwayError):
                await self._ask(lambda: self._release(keys=[_key(message_id)], args=[own]))

    async def _stored_or_claimed(self, message_id: UUID, fingerprint: bytes, own: bytes) -> Outcome | None:
        """Wait for another sidecar's reply and return it; return None if this sidecar has claimed the id.

        Raises:
            Problem: Another question has this id.
            StateAwayError: The shared state is not reachable.
        """
        while True:
            held = await self._ask(lambda: self._claim(keys=[_key(message_id)], args=[own, _CLAIM_MS]))
            if not held:
                return None
            try:
                stored = _decoder.decode(held)
            except msgspec.MsgspecError:  # another version of Pincite wrote it in another format
                return None
            if stored.fingerprint != fingerprint:
                raise Problem("message_id_conflict")
            if stored.reply is not None:
                return Outcome(stored.reply, stored.pieces)
            await asyncio.sleep(_LOOK_SECONDS)

    async def _renew_claim(self, message_id: UUID, own: bytes) -> None:
        while True:
            await asyncio.sleep(_RENEWAL_SECONDS)
            with suppress(StateAwayError):
                await self._ask(lambda: self._renew(keys=[_key(message_id)], args=[own, _CLAIM_MS]))

    async def _ask(self, work: Callable[[], Any]) -> Any:
        if self._link is None:
            raise StateAwayError
        return await self._link.run(work)


def _key(message_id: UUID) -> str:
    return f"{_NAMESPACE}:{message_id}"  # the key that Litestar's store uses
