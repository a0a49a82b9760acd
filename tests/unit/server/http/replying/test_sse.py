import asyncio
from collections.abc import AsyncGenerator, Sequence

import httpx
import msgspec
import pytest
from httpx_sse import EventSource, ServerSentEvent
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.server.http.records import ANSWER, ANSWERED, OPENING, PIECES

from pincite_core.errors import WorkLimitError
from pincite_server.answering.reply_broadcast import EndEvent, ReplyEvent, StartEvent, TextEvent
from pincite_server.http import wire
from pincite_server.http.replying.sse import answer_events, guarded, with_heartbeats
from pincite_server.http.transport.problems import PROBLEMS, Problem

ENDED = EndEvent(ANSWERED)
WRITTEN = (StartEvent(OPENING), *map(TextEvent, PIECES))


async def events_of(*each: ReplyEvent) -> AsyncGenerator[ReplyEvent]:
    for event in each:
        yield event


def encoded(events: AsyncGenerator[Sequence[msgspec.Struct]]) -> bytes:
    async def collect() -> bytes:
        return b"".join([message async for message in guarded(events)])

    return asyncio.run(collect())


def parsed(stream: bytes) -> list[ServerSentEvent]:
    response = httpx.Response(200, headers={"content-type": "text/event-stream"}, content=stream)
    return list(EventSource(response).iter_sse())


async def broken_off(error: Exception) -> AsyncGenerator[Sequence[msgspec.Struct]]:
    yield (wire.AnswerDelta("The beginning."),)
    raise error


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (WorkLimitError("Ask in fewer words."), "too_costly", PROBLEMS["too_costly"][1]),
        (Problem("overloaded"), "overloaded", PROBLEMS["overloaded"][1]),
        (Problem("rate_limited", "Wait for some of them."), "rate_limited", "Wait for some of them."),
        (ValueError("a word of the reader's"), "internal_error", PROBLEMS["internal_error"][1]),
    ],
)
def test_a_stream_that_breaks_off_says_why(error: Exception, code: str, message: str):
    events = parsed(encoded(broken_off(error)))
    assert [event.event for event in events] == ["answer_delta", "error"]
    assert events[1].json() == {"code": code, "message": message}


def test_an_answer_is_start_then_deltas_then_sources_then_end():
    events = parsed(encoded(answer_events(events_of(ENDED))))
    assert [event.event for event in events] == [
        "answer_start",
        "answer_delta",
        "answer_delta",
        "sources",
        "answer_end",
    ]


def test_the_parts_of_the_stream_add_up_to_the_answer():
    start, *deltas, sources, end = parsed(encoded(answer_events(events_of(ENDED))))
    assert "".join(delta.json()["text"] for delta in deltas) == ANSWER.text
    assert [item["n"] for item in sources.json()["citations"]] == [1, None]
    assert start.json()["scope"] == {
        "locale": "en",
        "version": "2.0",
        "version_label": "2.0 (latest)",
        "plugin_id": "default",
    }
    assert start.json()["notices"] == [{"code": "widened", "message": "Answered from version 2.0."}]
    assert end.json()["message_id"] == ANSWER.message_id
    assert end.json()["validation_info"]["passed"] is True


def test_an_answer_that_is_still_being_written_gives_the_same_events_as_the_whole_one():
    written = encoded(answer_events(events_of(*WRITTEN, ENDED)))
    assert written == encoded(answer_events(events_of(ENDED)))


def test_what_is_there_at_once_is_one_write():
    async def writes(events: AsyncGenerator[Sequence[msgspec.Struct]]) -> int:
        return len([message async for message in guarded(events)])

    assert asyncio.run(writes(answer_events(events_of(ENDED)))) == 1
    assert asyncio.run(writes(answer_events(events_of(*WRITTEN, ENDED)))) == len(PIECES) + 2


@given(st.text())
def test_any_text_survives_the_stream(text: str):
    async def one() -> AsyncGenerator[Sequence[msgspec.Struct]]:
        yield (wire.AnswerDelta(text),)

    (event,) = parsed(encoded(one()))
    assert event.json() == {"text": text}


def test_a_failure_on_the_way_ends_the_stream_with_an_error_that_tells_nothing_of_its_cause():
    async def failing() -> AsyncGenerator[Sequence[msgspec.Struct]]:
        yield (wire.AnswerDelta("so far so good"),)
        message = "secret detail of /srv/pincite"
        raise RuntimeError(message)

    stream = encoded(failing())
    first, last = parsed(stream)
    assert (first.event, last.event) == ("answer_delta", "error")
    assert last.json()["code"] == "internal_error"
    assert b"secret" not in stream


def test_a_silence_is_filled_with_comments_that_clients_do_not_see():
    async def collect() -> bytes:
        go_on, received = asyncio.Event(), b""

        async def slow() -> AsyncGenerator[bytes]:
            yield b"event: first\r\ndata: 1\r\n\r\n"
            await go_on.wait()
            yield b"event: second\r\ndata: 2\r\n\r\n"

        async for message in with_heartbeats(slow(), 0.02):
            received += message
            if received.count(b": still here") == 2:
                go_on.set()
        return received

    stream = asyncio.run(collect())
    assert stream.count(b": still here") >= 2
    assert stream.index(b"first") < stream.index(b": still here") < stream.index(b"second")
    assert [event.event for event in parsed(stream)] == ["first", "second"]


def test_closing_the_stream_in_a_silence_stops_the_work():
    stopped = asyncio.Event()

    async def endless() -> AsyncGenerator[bytes]:
        try:
            await asyncio.sleep(60)
            yield b"never"
        finally:
            stopped.set()

    async def scenario() -> None:
        stream = with_heartbeats(endless(), 0.01)
        await anext(stream)
        await stream.aclose()
        await asyncio.wait_for(stopped.wait(), 5)

    asyncio.run(scenario())
