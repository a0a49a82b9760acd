"""Broadcasts of replies: every subscriber gets all events, and a reply without subscribers is freed at once."""

import asyncio
import gc
import weakref
from collections.abc import Iterator
from functools import partial
from uuid import uuid4

import msgspec
import pytest
from tests.unit.server.http.records import ANSWER, ANSWERED, OPENING

from pincite_server.answering.outcome import Outcome
from pincite_server.answering.reply_broadcast import (
    EndEvent,
    Publish,
    ReplyBroadcast,
    ReplyEvent,
    StartEvent,
    StatusEvent,
    TextEvent,
)
from pincite_server.http.replying.ledger import AnswerLedger
from pincite_server.reply.records import Progress


@pytest.fixture(autouse=True)
def no_garbage_collection() -> Iterator[None]:
    gc.disable()
    yield
    gc.enable()


class Index:
    """What a reply is made from."""


async def made_from(index: Index, publish: Publish) -> Outcome:
    publish(TextEvent(f"A piece from {index}."))
    await asyncio.Event().wait()
    raise AssertionError


async def left_reply() -> weakref.ref[Index]:
    """Follow a reply of a ledger to its first event, leave, and return what it was made from."""
    index = Index()
    seen = weakref.ref(index)
    reply = AnswerLedger().once(uuid4(), b"", partial(ReplyBroadcast, partial(made_from, index)))
    del index
    _, events = await reply.opened()
    assert seen() is not None
    await events.aclose()
    while not reply._task.done():
        await asyncio.sleep(0)
    return seen


def test_what_a_reply_was_made_from_is_let_go_of_when_the_last_reader_leaves() -> None:
    async def leave() -> bool:
        seen = await left_reply()
        await asyncio.sleep(0)
        return seen() is None

    assert asyncio.run(leave())


def test_subscribers_get_every_event_whenever_they_attach() -> None:
    async def scenario() -> None:
        may_end = asyncio.Event()

        async def make(publish: Publish) -> Outcome:
            publish(StatusEvent(Progress("searching", queries=("listen port",))))
            publish(StartEvent(OPENING))
            await may_end.wait()
            publish(TextEvent(ANSWER.text))
            return ANSWERED

        broadcast = ReplyBroadcast(make)
        early = asyncio.create_task(collected(broadcast))
        first, late = await broadcast.opened()
        may_end.set()
        events = await early
        assert first is events[0]
        assert [event async for event in late] == events
        assert await collected(broadcast) == events
        assert await broadcast.outcome() is ANSWERED
        kinds = [StatusEvent, StartEvent, TextEvent, EndEvent]
        assert [type(event) for event in events] == kinds

    asyncio.run(scenario())


def test_a_maker_that_publishes_the_end_itself_may_go_on_working() -> None:
    async def scenario() -> None:
        may_end = asyncio.Event()

        async def make(publish: Publish) -> Outcome:
            publish(EndEvent(ANSWERED))
            await may_end.wait()
            return ANSWERED

        broadcast = ReplyBroadcast(make)
        first, events = await broadcast.opened()
        assert first == EndEvent(ANSWERED)
        await events.aclose()
        may_end.set()
        assert await collected(broadcast) == [first]

    asyncio.run(scenario())


def test_events_are_one_tagged_union() -> None:
    events = [StatusEvent(Progress("checking")), StartEvent(OPENING), TextEvent("text"), EndEvent(ANSWERED)]
    decoded = msgspec.json.decode(msgspec.json.encode(events), type=list[ReplyEvent])
    assert decoded == events


async def collected(broadcast: ReplyBroadcast) -> list[ReplyEvent]:
    return [event async for event in broadcast.subscribe()]
