"""A reply that everybody has left goes away at once, with all that it was made from."""

import asyncio
import gc
import weakref
from collections.abc import AsyncGenerator, Iterator
from functools import partial
from uuid import uuid4

import pytest

from pincite_server.answering.outcome import Step
from pincite_server.http.replying.ledger import AnswerLedger
from pincite_server.http.replying.live_reply import LiveReply


@pytest.fixture(autouse=True)
def no_garbage_collection() -> Iterator[None]:
    gc.disable()
    yield
    gc.enable()


class Index:
    """What a reply is made from."""


async def steps_from(index: Index) -> AsyncGenerator[Step]:
    yield f"A piece from {index}."
    await asyncio.Event().wait()


async def left_reply() -> weakref.ref[Index]:
    """Follow a reply of a ledger to its first step, leave, and return what it was made from."""
    index = Index()
    seen = weakref.ref(index)
    reply = AnswerLedger().once(uuid4(), b"", partial(LiveReply, steps_from(index)))
    del index
    _, steps = await reply.opened()
    assert seen() is not None
    await steps.aclose()
    while not reply._work.done():
        await asyncio.sleep(0)
    return seen


def test_what_a_reply_was_made_from_is_let_go_of_when_the_last_reader_leaves() -> None:
    async def leave() -> bool:
        seen = await left_reply()
        await asyncio.sleep(0)
        return seen() is None

    assert asyncio.run(leave())
