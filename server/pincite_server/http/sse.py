"""The event stream: an answer's events in order, and comments in silences."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from typing import Any

import msgspec
from litestar import Request
from litestar.response.sse import ServerSentEvent, ServerSentEventMessage

from pincite_server.http import wire
from pincite_server.http.convert import (
    Head,
    citation_object,
    claim_object,
    notices_objects,
    scope_object,
    validation_object,
)
from pincite_server.http.problems import PROBLEMS
from pincite_server.model import Answer, Opening, Step

__all__ = (
    "STREAM_HEADERS",
    "answer_events",
    "event_stream",
    "guarded",
    "wants_events",
    "with_heartbeats",
)

logger = logging.getLogger("pincite")

STREAM_HEADERS = {
    "Cache-Control": "no-cache, no-transform",  # without no-transform, compressing proxies hold the whole stream back
    "X-Accel-Buffering": "no",  # the same for nginx
}
_HEARTBEAT = ServerSentEventMessage(data=None, comment="still here")
_EVENT_NAMES: dict[type[msgspec.Struct], str] = {
    wire.AnswerStart: "answer_start",
    wire.AnswerDelta: "answer_delta",
    wire.Sources: "sources",
    wire.AnswerEnd: "answer_end",
    wire.StreamError: "error",
}


def wants_events(request: Request[Any, Any, Any]) -> bool:
    """Return whether the client names `text/event-stream` in Accept; `*/*` alone gets JSON."""
    accepted = request.headers.get("accept", "").lower().split(",")
    return any(item.partition(";")[0].strip() == "text/event-stream" for item in accepted)


async def answer_events(head: Head, steps: AsyncGenerator[Step]) -> AsyncGenerator[msgspec.Struct]:
    """Yield the events of an answer as its steps come: start, deltas, sources, end."""
    started = False
    async with aclosing(steps):
        async for step in steps:
            if isinstance(step, str):
                yield wire.AnswerDelta(step)
            elif isinstance(step, Opening):
                started = True
                yield _start(head, step)
            elif isinstance(step, Answer):
                for event in _ending(head, step) if started else _whole(head, step):
                    yield event


def event_stream(events: AsyncGenerator[msgspec.Struct], heartbeat_seconds: float) -> ServerSentEvent:
    """Return the response that streams `events`, each sent as soon as it exists."""
    messages = with_heartbeats(guarded(events), heartbeat_seconds)
    return ServerSentEvent(messages, headers=STREAM_HEADERS)


async def guarded(events: AsyncGenerator[msgspec.Struct]) -> AsyncGenerator[ServerSentEventMessage]:
    """Yield events encoded; a failure on the way becomes the event `error`, with no word of its cause."""
    try:
        async with aclosing(events):
            async for event in events:
                yield _message(event)
    except Exception:
        logger.exception("an answer's stream failed")
        yield _message(wire.StreamError("internal_error", PROBLEMS["internal_error"][1]))


async def with_heartbeats(
    messages: AsyncGenerator[ServerSentEventMessage], seconds: float
) -> AsyncGenerator[ServerSentEventMessage]:
    """Yield `messages`, and a comment whenever none has come for `seconds`."""
    upcoming: asyncio.Task[ServerSentEventMessage | None] | None = None
    try:
        while True:
            upcoming = upcoming or asyncio.create_task(_next(messages))
            done, _ = await asyncio.wait({upcoming}, timeout=seconds)
            if not done:
                yield _HEARTBEAT
                continue
            message, upcoming = upcoming.result(), None
            if message is None:
                return
            yield message
    finally:
        if upcoming is not None:
            upcoming.cancel()
            await asyncio.gather(upcoming, return_exceptions=True)
        await messages.aclose()


async def _next(messages: AsyncGenerator[ServerSentEventMessage]) -> ServerSentEventMessage | None:
    return await anext(messages, None)


def _message(event: msgspec.Struct) -> ServerSentEventMessage:
    return ServerSentEventMessage(msgspec.json.encode(event), event=_EVENT_NAMES[type(event)])


def _whole(head: Head, answer: Answer) -> Iterator[msgspec.Struct]:
    yield _start(head, answer)
    yield from map(wire.AnswerDelta, answer.deltas)
    yield from _ending(head, answer)


def _start(head: Head, known: Opening | Answer) -> wire.AnswerStart:
    return wire.AnswerStart(
        **msgspec.structs.asdict(head),
        mode=known.mode,
        composer=known.composer,
        scope=scope_object(known.scope),
        notices=notices_objects(known.notices),
    )


def _ending(head: Head, answer: Answer) -> Iterator[msgspec.Struct]:
    yield wire.Sources(tuple(map(citation_object, answer.citations)))
    yield wire.AnswerEnd(
        message_id=head.message_id,
        claims=tuple(map(claim_object, answer.claims)),
        confidence_score=answer.validation.confidence_score,
        evidence=answer.evidence,
        validation_info=validation_object(answer),
        learning_suggestions=answer.learning_suggestions,
        timings_ms=answer.timings_ms,
    )
