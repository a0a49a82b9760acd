"""A question is answered once for its `message_id`, whichever of several sidecars it is sent to."""

import asyncio
import secrets
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager, suppress
from typing import Any
from uuid import UUID

import msgspec

from pincite_server.answering.outcome import Outcome, Step
from pincite_server.http.transport.problems import Problem
from pincite_server.reply.records import Answer, Refusal
from pincite_server.state.link import KEYS, StateAwayError, StateLink

__all__ = ("SharedReplies",)

_KEPT_SECONDS = 600  # as in the ledger of each process
_CLAIM_MS = 3000  # after this a sidecar that was killed no longer keeps others from answering
_RENEWAL_SECONDS = 1.0
_LOOK_SECONDS = 0.05  # between looks whether another sidecar has answered

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


class _Kept(msgspec.Struct, frozen=True, array_like=True):
    """What is kept under a message's id: whose it is, and the reply as soon as there is one."""

    fingerprint: bytes
    owner: bytes = b""
    reply: Answer | Refusal | None = None
    pieces: tuple[str, ...] = ()


_decoder = msgspec.json.Decoder(_Kept)


class SharedReplies:
    """Lets one sidecar answer, and hands its reply to those that are asked the same; without a link, all answer.

    A sidecar that answers claims the id, and renews that every second; a claim that is not renewed, because the sidecar
    was killed, goes to the next that is asked.

    Args:
        link: To what sidecars share, None where there is one alone.
    """

    def __init__(self, link: StateLink | None = None) -> None:
        self._link = link
        if link is not None:
            from litestar.stores.valkey import ValkeyStore  # with its client, which is an extra

            self._finished = ValkeyStore(link.client, namespace=_NAMESPACE)
            self._claim, self._renew, self._release = map(link.client.register_script, (_CLAIM, _RENEW, _RELEASE))

    async def once(
        self, message_id: UUID, fingerprint: bytes, steps: Callable[[], AsyncGenerator[Step]]
    ) -> AsyncGenerator[Step]:
        """Yield the steps of the reply to a message, those of `steps` if no other sidecar has them.

        Raises:
            Problem: The same id with another fingerprint (`message_id_conflict`).
        """
        own = msgspec.json.encode(_Kept(fingerprint, secrets.token_bytes(_OWNER_BYTES)))
        try:
            kept = await self._kept_or_claimed(message_id, fingerprint, own)
        except StateAwayError:
            kept = None
        if kept is not None:
            yield kept
            return
        async with self._claimed(message_id, own), aclosing(steps()) as coming:
            async for step in coming:
                yield step
                if isinstance(step, Outcome):
                    await self._keep(message_id, fingerprint, step)

    async def _kept_or_claimed(self, message_id: UUID, fingerprint: bytes, own: bytes) -> Outcome | None:
        """Return the reply of another sidecar, waiting for it; None when this one is to answer.

        Raises:
            Problem: Another question has this id.
            StateAwayError: It cannot be told.
        """
        while True:
            held = await self._ask(lambda: self._claim(keys=[_key(message_id)], args=[own, _CLAIM_MS]))
            kept = _decoded(held) if held else None
            if kept is None:
                return None
            if kept.fingerprint != fingerprint:
                raise Problem("message_id_conflict")
            if kept.reply is not None:
                return Outcome(kept.reply, kept.pieces)
            await asyncio.sleep(_LOOK_SECONDS)

    @asynccontextmanager
    async def _claimed(self, message_id: UUID, own: bytes) -> AsyncIterator[None]:
        """Keep the claim while the context lasts; give it back if it ends without a reply."""
        if self._link is None:
            yield
            return
        renewing = asyncio.create_task(self._go_on_renewing(message_id, own))
        try:
            yield
        finally:
            renewing.cancel()
            with suppress(StateAwayError):
                await self._ask(lambda: self._release(keys=[_key(message_id)], args=[own]))

    async def _go_on_renewing(self, message_id: UUID, own: bytes) -> None:
        while True:
            await asyncio.sleep(_RENEWAL_SECONDS)
            with suppress(StateAwayError):
                await self._ask(lambda: self._renew(keys=[_key(message_id)], args=[own, _CLAIM_MS]))

    async def _keep(self, message_id: UUID, fingerprint: bytes, outcome: Outcome) -> None:
        if self._link is None:
            return
        kept = msgspec.json.encode(_Kept(fingerprint, reply=outcome.reply, pieces=outcome.pieces))
        with suppress(StateAwayError):
            await self._ask(lambda: self._finished.set(str(message_id), kept, expires_in=_KEPT_SECONDS))

    async def _ask(self, work: Callable[[], Any]) -> Any:
        if self._link is None:
            raise StateAwayError
        return await self._link.run(work)


def _key(message_id: UUID) -> str:
    return f"{_NAMESPACE}:{message_id}"  # as Litestar's store names it


def _decoded(held: bytes) -> _Kept | None:
    """Return what is kept; None for what another version of Pincite wrote otherwise."""
    try:
        return _decoder.decode(held)
    except msgspec.MsgspecError:
        return None
