"""Attack a sidecar in five ways, each with addresses of its own; `bench.attacked` runs the attackers.

They send HTTP over plain sockets, so an attack costs them as little as possible.
"""

import asyncio
import itertools
import random
import socket
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from urllib.parse import quote
from uuid import uuid4

import msgspec

__all__ = ("KINDS", "Attack", "attack")

LONG_AT_ONCE = 12
SLOW_CONNECTIONS = 400
UNREAD_CONNECTIONS = 400
NEW_AT_ONCE = 16
ADDRESSES_EACH = 4  # for attackers that hold connections: one address may not hold many
PATIENCE = 30.0  # seconds that an attacker waits for a reply


@dataclass(slots=True)
class Attack:
    """The target of an attack, its inputs, its end and its results.

    Attributes:
        host: The sidecar's address and port.
        words: Words of the docs, for questions that have results.
        downloads: Paths of large files.
        until: End of the attack, by `time.time()`.
        got: Counts of status codes and of other ends.
    """

    host: tuple[str, int]
    words: Sequence[str]
    downloads: Sequence[str]
    until: float
    got: Counter[str] = field(default_factory=Counter)

    def goes_on(self) -> bool:
        """Return whether time is left."""
        return time.time() < self.until


def attack(kind: str, plan: Attack) -> Counter[str]:
    """Attack in one way until the time is over, and return the counted results."""
    try:
        asyncio.run(asyncio.wait_for(KINDS[kind](plan), plan.until - time.time()))
    except TimeoutError:
        plan.got["(still at it)"] += 1
    return plan.got


async def long_queries(plan: Attack) -> None:
    """Ask questions of the maximal length or longer, a dozen at once, and repeat after each reply."""
    await _at_once(LONG_AT_ONCE, plan, lambda number: _request(plan, "127.2.1.1", _long(plan, number)))


async def slow_bodies(plan: Attack) -> None:
    """Send a large body except its end, then one byte a second, over and over."""

    async def hold(number: int) -> None:
        body = _json(query="What is it?", selection={"text": "x" * 240_000})
        reader, writer = await _connect(plan, f"127.2.2.{1 + number % ADDRESSES_EACH}")
        try:
            writer.write(_head("POST", "/api/chat", len(body) + 1000) + body)
            line = b""
            while not line and not writer.is_closing() and not reader.at_eof():
                with suppress(TimeoutError):
                    line = await asyncio.wait_for(reader.readline(), 1)
                writer.write(b" ")
            plan.got[_status(line)] += 1
        finally:
            writer.close()

    await _at_once(SLOW_CONNECTIONS, plan, hold)


async def unread_downloads(plan: Attack) -> None:
    """Request compressed and uncompressed files and events, and read nothing."""

    async def hold(number: int) -> None:
        with socket.socket() as connection:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.setblocking(False)
            connection.bind((f"127.2.3.{1 + number % ADDRESSES_EACH}", 0))
            loop = asyncio.get_running_loop()
            await loop.sock_connect(connection, plan.host)
            await loop.sock_sendall(connection, _unread(plan, number))
            await asyncio.sleep(random.uniform(5, 60))
            plan.got[_left(connection)] += 1

    await _at_once(UNREAD_CONNECTIONS, plan, hold)


async def new_addresses(plan: Attack) -> None:
    """Ask each question from another address, real or forged."""
    numbers = itertools.count()

    async def hold(_: int) -> None:
        number = next(numbers)
        body = _json(query=_words(plan, number, 12))
        forged = f"X-Forwarded-For: 198.51.{number // 250 % 250}.{number % 250}\r\n".encode()
        source = "127.2.4.1" if number % 2 else f"127.3.{number // 250 % 250}.{1 + number % 250}"
        await _request(plan, source, _head("POST", "/api/chat", len(body), forged) + body)

    await _at_once(NEW_AT_ONCE, plan, hold)


KINDS: dict[str, Callable[[Attack], Awaitable[None]]] = {
    "long queries": long_queries,
    "slow bodies": slow_bodies,
    "never-reading downloads": unread_downloads,
    "new addresses": new_addresses,
}
"""The fifth attack, bad indexes, is in `bench.attacked`: the sidecar fetches from an attacking host."""


async def _at_once(count: int, plan: Attack, one: Callable[[int], Awaitable[None]]) -> None:
    async def again(number: int) -> None:
        while plan.goes_on():
            try:
                await asyncio.wait_for(one(number), PATIENCE * 3)
            except (OSError, TimeoutError) as error:
                plan.got[type(error).__name__] += 1
                await asyncio.sleep(0.1)

    await asyncio.gather(*map(again, range(count)))


async def _connect(plan: Attack, source: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    return await asyncio.open_connection(*plan.host, local_addr=(source, 0))


async def _request(plan: Attack, source: str, request: bytes) -> None:
    reader, writer = await _connect(plan, source)
    try:
        writer.write(request)
        status = _status(await asyncio.wait_for(reader.readline(), PATIENCE))
        while await reader.read(65536):
            pass
        plan.got[status] += 1
    finally:
        writer.close()


def _long(plan: Attack, number: int) -> bytes:
    """Return an expensive request: within the limits, or beyond them."""
    text = _words(plan, random.randrange(1_000_000), 10_000)
    bodies = (
        _json(query=text[:2000]),
        _json(query=text),
        _json(query=text[:2000], turns=[{"query": text[:2000], "answer": text[:8000]}] * 5),
        _json(query=text[:500], mode="selection", selection={"text": text[:10_000].replace(" ", "\n")}),
        _json(query=text[:2000], mode="selection", selection={"text": text[:60_000]}),
    )
    if number % 2:
        return _head("GET", f"/api/search?k=50&q={quote(text[: 2000 if number % 4 == 1 else 20_000])}", 0)
    body = random.choice(bodies)
    return _head("POST", "/api/chat", len(body)) + body


def _unread(plan: Attack, number: int) -> bytes:
    if number % 8 == 0:
        body = _json(query=_words(plan, number, 12))
        return _head("POST", "/api/chat", len(body), b"Accept: text/event-stream\r\n") + body
    accepted = b"Accept-Encoding: gzip\r\n" if number % 2 else b""
    one = _head("GET", plan.downloads[number % len(plan.downloads)], 0, accepted)
    return one.replace(b"Connection: close\r\n", b"") * 20


def _words(plan: Attack, seed: int, count: int) -> str:
    return " ".join(random.Random(seed).choices(plan.words, k=count))


def _json(**fields: object) -> bytes:
    return msgspec.json.encode({"message_id": str(uuid4()), "session_id": "bench", "mode": "corpus", **fields})


def _head(method: str, path: str, length: int, more: bytes = b"") -> bytes:
    lines = (f"{method} {path} HTTP/1.1", "Host: localhost", "Content-Type: application/json", "Connection: close")
    declared = f"Content-Length: {length}\r\n" if length else ""
    return "\r\n".join((*lines, declared)).encode() + more + b"\r\n"


def _status(line: bytes) -> str:
    return line.split()[1].decode() if line.count(b" ") > 1 else "hung up on"


def _left(connection: socket.socket) -> str:
    """Read all data that was sent, and return whether the other side has closed the connection."""
    received = 0
    try:
        while block := connection.recv(65536):
            received += len(block)
    except BlockingIOError:
        return "still held"
    except OSError:
        return "hung up on"
    return "hung up on" if received else "refused"
