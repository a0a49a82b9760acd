"""Encodes a reply as server-sent events, with comments as heartbeats."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from typing import Any, TypeVar

import msgspec
from litestar import Request
from litestar.response import Stream

from pincite_core.errors import IndexUnavailableError, WorkLimitError
from pincite_server.answering.reply_broadcast import ReplyEvent, StartEvent, StatusEvent, TextEvent
from pincite_server.http import wire
from pincite_server.http.transport.problems import PROBLEMS, Problem
from pincite_server.reply.records import Answer, Opening, Progress, Refusal

__all__ = ("STREAM_HEADERS", "answer_events", "event_stream", "guarded", "wants_events", "with_heartbeats")

Event = TypeVar("Event", bound=msgspec.Struct)

logger = logging.getLogger("pincite")

STREAM_HEADERS = {
    "Cache-Control": "no-cache, no-transform",  # without `no-transform`, compressing proxies buffer the whole stream
    "X-Accel-Buffering": "no",  # tells nginx not to buffer
}
_HEARTBEAT = b": still here\r\n\r\n"
_EVENT_NAMES: dict[type[msgspec.Struct], str] = {
    Progress: "status",
    Opening: "answer_start",
    wire.AnswerDelta: "answer_delta",
    wire.Sources: "sources",
    wire.AnswerEnd: "answer_end",
    Refusal: "refusal",
    wire.StreamError: "error",
}


def wants_events(request: Request[Any, Any, Any]) -> bool:
    """Return whether the client names `text/event-stream` in Accept; `*/*` alone gets JSON."""
    accepted = request.headers.get("accept", "").lower().split(",")
    return any(item.partition(";")[0].strip() == "text/event-stream" for item in accepted)


async def answer_events(events: AsyncGenerator[ReplyEvent]) -> AsyncGenerator[Sequence[msgspec.Struct]]:
    """Yield the server-sent events for each event of a reply: status, start, deltas, sources, end.

    A refusal is a single event, because it only comes before an answer starts.
    """
    started = False
    async with aclosing(events):
        async for event in events:
            if isinstance(event, TextEvent):
                yield (wire.AnswerDelta(event.text),)
            elif isinstance(event, StatusEvent):
                yield (event.progress,)
            elif isinstance(event, StartEvent):
                started = True
                yield (event.opening,)
            elif isinstance(reply := event.outcome.reply, Refusal):
                yield (reply,)
            else:
                deltas = map(wire.AnswerDelta, event.outcome.pieces)
                beginning = () if started else (_part(reply, Opening), *deltas)
                yield (*beginning, wire.Sources(reply.citations), _part(reply, wire.AnswerEnd))


def event_stream(events: AsyncGenerator[Sequence[msgspec.Struct]], heartbeat_seconds: float) -> Stream:
    """Return the response that streams `events`, each sent as soon as it exists.

    Events that exist at the same time are sent in one write. After each write the event loop may have to wait for the
    interpreter lock, which an answering thread holds.
    """
    messages = with_heartbeats(guarded(events), heartbeat_seconds)
    return Stream(messages, media_type="text/event-stream", headers=STREAM_HEADERS)


async def guarded(events: AsyncGenerator[Sequence[msgspec.Struct]]) -> AsyncGenerator[bytes]:
    """Yield encoded events. A failure becomes the event `error`, without the details of an unexpected exception."""
    try:
        async with aclosing(events):
            async for together in events:
                yield b"".join(map(_encoded, together))
    except WorkLimitError:
        yield _encoded(wire.StreamError("too_costly", PROBLEMS["too_costly"][1]))
    except IndexUnavailableError:
        yield _encoded(wire.StreamError("index_awaited", PROBLEMS["index_awaited"][1]))
    except Problem as refused:
        yield _encoded(wire.StreamError(refused.code, refused.detail))
    except Exception:
        logger.exception("an answer's stream failed")
        yield _encoded(wire.StreamError("internal_error", PROBLEMS["internal_error"][1]))


async def with_heartbeats(messages: AsyncGenerator[bytes], seconds: float) -> AsyncGenerator[bytes]:
    """Yield `messages`, and a comment after every `seconds` without a message."""
    upcoming: asyncio.Future[bytes | None] | None = None
    try:
        while True:
            upcoming = upcoming or asyncio.ensure_future(anext(messages, None))
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


def _encoded(event: msgspec.Struct) -> bytes:
    return b"event: %s\r\ndata: %s\r\n\r\n" % (_EVENT_NAMES[type(event)].encode(), msgspec.json.encode(event))


def _part(answer: Answer, event: type[Event]) -> Event:
    """Return an event with the fields that it shares with an answer."""
    return event(**{name: getattr(answer, name) for name in event.__struct_fields__})
