"""Read a sidecar's reply from the network, and compare it with the expected reply of each of two builds."""

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import httpx
import msgspec

__all__ = ("BrokenOffError", "Told", "difference", "is_right", "read_told")

_SHOWN = 120  # characters of each reply from their first difference
_EACH_TIME_ANOTHER = ("message_id", "session_id", "timings_ms")  # differ in each reply to the same question


class BrokenOffError(Exception):
    """A reply that ended before it was complete."""


@dataclass(frozen=True, slots=True)
class Told:
    """A reply: its index, its content, and the full reply as sent, with the times of the stages.

    `first` is the moment of the first words, by `perf_counter`; for a refusal, the moment of its end.
    """

    index_id: str
    says: bytes
    whole: bytes
    first: float


def is_right(told: Told, expected: Mapping[str, bytes]) -> bool:
    """Return whether a reply is identical to the reply of one of the builds; `expected` is the reply by index."""
    return expected.get(told.index_id) == told.says


def difference(told: Told, expected: Mapping[str, bytes]) -> str:
    """Return where a reply differs from the reply of its build, with a short excerpt of both."""
    says, due = told.says.decode(), expected.get(told.index_id, b"").decode()
    start = next(
        (at for at, (one, other) in enumerate(zip(says, due, strict=False)) if one != other), min(len(says), len(due))
    )
    return f"{told.index_id}: {says[start : start + _SHOWN]!r} instead of {due[start : start + _SHOWN]!r}"


async def read_told(response: httpx.Response) -> Told:
    """Read a reply, events or JSON, to its end.

    Raises:
        BrokenOffError: The reply ended early, or with an error.
    """
    if response.headers["content-type"].startswith("application/json"):
        whole = await response.aread()
        refusal = msgspec.json.decode(whole)
        return Told(refusal["index_id"], _told([refusal]), whole, perf_counter())
    events, first = [], 0.0
    async for name, data in _events(response.aiter_lines()):
        if name == "answer_delta" and not first:
            first = perf_counter()
        events.append((name, data))
    if not events or events[-1][0] != "answer_end":
        raise BrokenOffError(f"ended with {events[-1][0] if events else 'nothing'}")
    return Told(events[0][1]["index_id"], _told(_parts(events)), msgspec.json.encode(_parts(events)), first)


async def _events(lines: AsyncIterator[str]) -> AsyncIterator[tuple[str, dict[str, Any]]]:
    name = ""
    async for line in lines:
        if line.startswith("event: "):
            name = line.removeprefix("event: ")
        elif line.startswith("data: "):
            yield name, msgspec.json.decode(line.removeprefix("data: "))


def _parts(events: list[tuple[str, dict[str, Any]]]) -> list[dict[str, Any]]:
    """Return the events with their text joined, because the borders between deltas do not matter."""
    text = "".join(data["text"] for name, data in events if name == "answer_delta")
    return [{"text": text}, *(data for name, data in events if name != "answer_delta")]


def _told(parts: list[dict[str, Any]]) -> bytes:
    return msgspec.json.encode(
        [{key: value for key, value in part.items() if key not in _EACH_TIME_ANOTHER} for part in parts]
    )
