"""Readers who ask a sidecar over HTTP, as the widget does, and how long each waits."""

import asyncio
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from time import perf_counter
from uuid import uuid4

import httpx

__all__ = ("Tally", "ask", "keep_asking")

_HEADERS = {"Accept": "text/event-stream"}


@dataclass(slots=True)
class Tally:
    """What became of the questions; seconds until the first `answer_delta`, and until a refusal was whole."""

    first_deltas: list[float] = field(default_factory=list)
    refusals: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    @property
    def asked(self) -> int:
        """Return how many questions there were."""
        return len(self.first_deltas) + len(self.refusals) + len(self.errors)


async def ask(client: httpx.AsyncClient, query: str, tally: Tally, **fields: object) -> None:
    """Ask one question and read the reply to its end."""
    body = {"message_id": str(uuid4()), "session_id": "bench", "query": query, "mode": "corpus", **fields}
    started = perf_counter()
    try:
        async with client.stream("POST", "/api/chat", json=body, headers=_HEADERS) as response:
            await _read(response, started, tally)
    except httpx.HTTPError as error:
        tally.errors.append(type(error).__name__)


async def keep_asking(
    client: httpx.AsyncClient, questions: Sequence[str], tally: Tally, *, every: float, until: float
) -> None:
    """Ask as one reader: a question every so many seconds, from a moment of the reader's own, until a time has come."""
    await asyncio.sleep(random.uniform(0, every))
    while (started := perf_counter()) < until:
        await ask(client, random.choice(questions), tally)
        await asyncio.sleep(max(0.0, every - (perf_counter() - started)))


async def _read(response: httpx.Response, started: float, tally: Tally) -> None:
    if response.status_code != httpx.codes.OK:
        tally.errors.append(str(response.status_code))
        return
    if response.headers["content-type"].startswith("application/json"):
        await response.aread()
        tally.refusals.append(perf_counter() - started)
        return
    first, last = 0.0, ""
    async for line in response.aiter_lines():
        if line.startswith("event: "):
            last = line
            if line == "event: answer_delta" and not first:
                first = perf_counter() - started
    if last != "event: answer_end":
        tally.errors.append(f"the stream ended with {last!r}")
        return
    tally.first_deltas.append(first)
