"""Simulate readers of several sidecars, and check that each gets the right reply, once and within limits."""

import asyncio
import random
from dataclasses import dataclass, field
from itertools import count
from time import perf_counter
from uuid import uuid4

import httpx
import numpy as np
from bench.readers import Reader
from bench.told import BrokenOffError, Told, difference, is_right, read_told

__all__ = ("GREEDY_LIMIT", "Crowd", "Expected", "ask_all", "greedy", "patient")

Expected = dict[str, dict[str, bytes]]
"""The reply of each index, by question and index."""

GREEDY_LIMIT = 20  # questions a minute that one reader may ask, the default
_WINDOW = 60.0  # length of the limit, in seconds
_HASTE = 0.5  # seconds between a greedy reader's questions
_AGAIN_AFTER = 1.0  # seconds until a reader presses "Try again"
_TRIES = 4
_TWICE = 5  # one of this many questions is sent twice at once
_SLACK = 1.0  # seconds by which a window may begin later on a reader's clock than in the store


@dataclass(slots=True)
class Crowd:
    """The results of all questions; moments are by `perf_counter`."""

    expected: Expected
    until: float
    pushed: float = 0.0
    killed: float = 0.0
    waited: list[tuple[float, float]] = field(default_factory=list)  # start, seconds until the first words
    indexes: dict[str, list[float]] = field(default_factory=dict)  # times of the questions to each index
    lost: list[str] = field(default_factory=list)
    wrong: dict[str, list[str]] = field(default_factory=dict)  # differences from the expected replies, by question
    unlike: list[str] = field(default_factory=list)
    again: int = 0
    twice: int = 0
    let_in: list[list[float]] = field(default_factory=list)  # times, for each greedy reader
    turned_away: int = 0

    def is_over(self) -> bool:
        """Return whether the time for questions is over."""
        return perf_counter() >= self.until

    def judge(self, query: str, asked: float, told: Told) -> None:
        """Record a reply."""
        self.waited.append((asked, told.first - asked))
        self.indexes.setdefault(told.index_id, []).append(asked)
        if not is_right(told, self.expected[query]):
            self.wrong.setdefault(query, []).append(difference(told, self.expected[query]))

    def windows(self) -> list[int]:
        """Return how many questions of a greedy reader were let in, for each of the reader's whole minutes."""
        found = []
        for moments in self.let_in:
            rest = sorted(moments)
            while rest and rest[0] + _WINDOW + _SLACK < self.until:
                # A window begins with its first question, and the next window begins after its end.
                inside = [moment for moment in rest if moment < rest[0] + _WINDOW - _SLACK]
                found.append(len(inside))
                rest = rest[len(inside) :]
        return found

    def off_limit(self) -> float:
        """Return the largest deviation from the limit, as a share, in a reader's worst minute."""
        return max((abs(taken - GREEDY_LIMIT) / GREEDY_LIMIT for taken in self.windows()), default=0.0)

    def rows(self) -> list[tuple[str, str]]:
        """Return the rows of the report."""
        times = np.array([seconds for _, seconds in self.waited] or [np.nan]) * 1000
        old = min(self.indexes.values(), key=min, default=[self.pushed])
        around = [seconds for asked, seconds in self.waited if self.killed <= asked < self.killed + _WINDOW / 6]
        worst = max(around, default=float("nan")) * 1000
        windows = self.windows()
        return [
            ("answered", f"{len(self.waited):,} by {len(self.indexes)} builds"),
            ("lost", f"{len(self.lost)} {sorted(set(self.lost))}"),
            ("wrong", f"{sum(map(len, self.wrong.values()))} {self.wrong or ''}"),
            ("sent twice, answered differently", f"{self.twice}, {len(self.unlike)} {self.unlike[:1]}"),
            ("broken off or put off, asked again", str(self.again)),
            ("last asked of the old build", f"{max(old) - self.pushed:.1f} s after the push"),
            ("let in of a greedy reader, a minute", f"{windows and min(windows)} to {windows and max(windows)}"),
            ("turned away of them", f"{self.turned_away:,}, in {len(windows)} minutes of {GREEDY_LIMIT} let in"),
            ("first words, p50, p95", f"{np.median(times):.0f} ms, {np.percentile(times, 95):.0f} ms"),
            ("longest in the 10 s after the kill", f"{worst:.0f} ms"),
        ]


async def ask_all(url: str, expected: Expected) -> None:
    """Ask one sidecar all questions, and record its replies as the expected replies of its index."""
    async with httpx.AsyncClient(base_url=url, timeout=60) as client:
        for query, says in expected.items():
            async with client.stream("POST", "/api/chat", json=_message(query), headers=Reader().headers) as response:
                told = await read_told(response)
                says[told.index_id] = told.says


async def patient(client: httpx.AsyncClient, crowd: Crowd, every: float) -> None:
    """Ask a question at a fixed interval, from the reader's own start, until the time is over."""
    reader, queries = Reader(), list(crowd.expected)
    await asyncio.sleep(random.uniform(0, every))
    for number in count(1):
        if crowd.is_over():
            return
        asked, query = perf_counter(), random.choice(queries)
        message, times = _message(query), 2 if reader.has_pass and number % _TWICE == 0 else 1
        replies = await asyncio.gather(*(_whole(client, reader, message, crowd) for _ in range(times)))
        told = [reply for reply in replies if reply is not None]
        for reply in told:
            crowd.judge(query, asked, reply)
        crowd.twice += times > 1
        if len({reply.whole for reply in told}) > 1:
            crowd.unlike.append(query)
        await asyncio.sleep(max(0.0, every - (perf_counter() - asked)))


async def greedy(client: httpx.AsyncClient, crowd: Crowd) -> None:
    """Ask without a pause, and record the moments at which questions were let in."""
    reader, moments = Reader(), list[float]()
    crowd.let_in.append(moments)
    while not crowd.is_over():
        asked, query = perf_counter(), random.choice(list(crowd.expected))
        before = crowd.turned_away
        told = await _whole(client, reader, _message(query), crowd, limited=True)
        if told is not None:
            moments.append(asked)
            crowd.judge(query, asked, told)
        await asyncio.sleep(max(0.0, _HASTE - (perf_counter() - asked)) if crowd.turned_away == before else _HASTE)


async def _whole(
    client: httpx.AsyncClient, reader: Reader, message: dict[str, str], crowd: Crowd, *, limited: bool = False
) -> Told | None:
    """Return the complete reply to a message, with retries; None if it is lost or over the limit."""
    why = ""
    for attempt in range(_TRIES):
        if attempt:
            crowd.again += 1
            await asyncio.sleep(_AGAIN_AFTER)
        try:
            async with client.stream("POST", "/api/chat", json=message, headers=reader.headers) as response:
                reader.keep_pass(response)
                if response.status_code == httpx.codes.OK:
                    return await read_told(response)
                if limited and response.status_code == httpx.codes.TOO_MANY_REQUESTS:
                    crowd.turned_away += 1
                    return None
                why = f"{response.status_code}"
        except (httpx.HTTPError, BrokenOffError) as error:
            why = f"{type(error).__name__} {error}"
    crowd.lost.append(why)
    return None


def _message(query: str) -> dict[str, str]:
    return {"message_id": str(uuid4()), "session_id": "bench", "query": query, "mode": "corpus"}
