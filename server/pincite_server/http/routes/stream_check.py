"""`GET /api/stream-check`: five events in a second, which tell `pincite doctor` whether a proxy holds streams back."""

import asyncio
from collections.abc import AsyncIterator

from litestar import get
from litestar.response.sse import ServerSentEvent, ServerSentEventMessage

from pincite_server.http.openapi import problem_responses
from pincite_server.http.sse import STREAM_HEADERS

__all__ = ("BEATS", "BEAT_SECONDS", "stream_check")

BEATS = 5
BEAT_SECONDS = 0.2  # far more than a network's jitter, far less than anybody's patience


@get(
    "/api/stream-check",
    media_type="text/event-stream",
    responses=problem_responses(),
    summary="Does a stream come through as it is sent?",
)
async def stream_check() -> ServerSentEvent:
    """Send five events, a fifth of a second apart; they arrive together where a proxy buffers."""
    return ServerSentEvent(_beats(), headers=STREAM_HEADERS)


async def _beats() -> AsyncIterator[ServerSentEventMessage]:
    for number in range(BEATS):
        if number:
            await asyncio.sleep(BEAT_SECONDS)
        yield ServerSentEventMessage(str(number), event="beat")
