"""Simulate readers who ask a sidecar over HTTP, as the widget does, and measure each reader's wait."""

import asyncio
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from time import perf_counter
from uuid import uuid4

import httpx

__all__ = ("Reader", "Tally", "ask", "keep_asking")

_HEADERS = {"Accept": "text/event-stream"}
_PASS = "Pincite-Reader"


@dataclass(slots=True)
class Tally:
    """The results of the questions; seconds until the first `answer_delta`, and until a refusal was complete.

    `anonymous` are the waits for the first delta of readers without a session token.
    """

    first_deltas: list[float] = field(default_factory=list)
    anonymous: list[float] = field(default_factory=list)
    refusals: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    @property
    def asked(self) -> int:
        """Return how many questions there were."""
        return len(self.first_deltas) + len(self.refusals) + len(self.errors)


class Reader:
    """A reader who sends back the session token of the first reply, as the widget does."""

    def __init__(self) -> None:
        self.headers = dict(_HEADERS)

    @property
    def has_pass(self) -> bool:
        """Return whether an earlier reply has given a session token."""
        return _PASS in self.headers

    def keep_pass(self, response: httpx.Response) -> None:
        """Store the session token of a reply, if there is one."""
        if own := response.headers.get(_PASS):
            self.headers[_PASS] = own


async def ask(
    client: httpx.AsyncClient, query: str, tally: Tally, reader: Reader | None = None, **fields: object
) -> None:
    """Ask one question, as a new reader unless one is given, and read the reply to its end."""
    reader = reader or Reader()
    body = {"message_id": str(uuid4()), "session_id": "bench", "query": query, "mode": "corpus", **fields}
    is_new, started = not reader.has_pass, perf_counter()
    try:
        async with client.stream("POST", "/api/chat", json=body, headers=reader.headers) as response:
            reader.keep_pass(response)
            first = await _read(response, started, tally)
            if is_new and first is not None:
                tally.anonymous.append(first)
    except httpx.HTTPError as error:
        tally.errors.append(type(error).__name__)


async def keep_asking(
    client: httpx.AsyncClient, questions: Sequence[str], tally: Tally, *, every: float, until: float
) -> None:
    """Ask as one reader at a fixed interval, from the reader's own start, until a given time."""
    reader = Reader()
    await asyncio.sleep(random.uniform(0, every))
    while (started := perf_counter()) < until:
        await ask(client, random.choice(questions), tally, reader)
        await asyncio.sleep(max(0.0, every - (perf_counter() - started)))


async def _read(response: httpx.Response, started: float, tally: Tally) -> float | None:
    """Record the reply; return the seconds to the answer's first words, None without any."""
    if response.status_code != httpx.codes.OK:
        tally.errors.append(str(response.status_code))
        return None
    if response.headers["content-type"].startswith("application/json"):
        await response.aread()
        tally.refusals.append(perf_counter() - started)
        return None
    first, last = 0.0, ""
    async for line in response.aiter_lines():
        if line.startswith("event: "):
            last = line
            if line == "event: answer_delta" and not first:
                first = perf_counter() - started
    if last != "event: answer_end":
        tally.errors.append(f"the stream ended with {last!r}")
        return None
    tally.first_deltas.append(first)
    return first
