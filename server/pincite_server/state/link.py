"""The connection to the shared state. Readers do not wait for it during an outage."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar

from pincite_server.state.address import client_of_state
from pincite_server.state.problems import why

if TYPE_CHECKING:
    from valkey.asyncio import Valkey

__all__ = ("KEYS", "StateAwayError", "StateLink", "problem_of_state")

logger = logging.getLogger("pincite")

KEYS = "pincite:"  # prefix of every key

_PATIENCE = 0.5  # seconds; only the first request of an outage waits so long. A busy machine is slow to reply
_GRACE = 0.05  # seconds more to read a reply that arrived while the event loop was blocked
_FIRST_PAUSE = 0.1  # seconds until the first retry; each further pause is twice as long
_LONGEST_PAUSE = 2.0
_STEADY = 10.0  # seconds without a failure after which the pause is short again
_LOOK = 5.0  # seconds between checks, so that `/ready` is current even without questions
_FIRST_LOOK = 1.0  # seconds; the timeout of each check, and so the longest delay of the start

_PROBE = b"return redis.call('SET', KEYS[1], '1', 'PX', ARGV[1])"  # tests scripts and free memory

T = TypeVar("T")


class StateAwayError(Exception):
    """The shared state is unreachable; the caller counts locally."""


class StateLink:
    """Runs commands on the shared state with a timeout of half a second. During an outage, calls fail at once.

    `problem` is the reason of the outage; None while the state is reachable. Use it from one event loop.

    Args:
        url: A checked `valkey://...` address.
    """

    def __init__(self, url: str) -> None:
        self.problem: str | None = None
        self._client = client_of_state(url)
        self._probe = self._client.register_script(_PROBE)
        self._lost = asyncio.Event()
        self._watch: asyncio.Task[None] | None = None
        self._pause = _FIRST_PAUSE
        self._back_at = 0.0
        self._told: str | None = None

    @property
    def client(self) -> "Valkey":
        """The client, for registering scripts and creating stores; run commands through `run` alone."""
        return self._client

    async def open(self) -> None:
        """Check the connection once, then keep checking in the background."""
        await self._look()
        self._watch = asyncio.create_task(self._follow())

    async def close(self) -> None:
        """Close all connections."""
        if self._watch is not None:
            self._watch.cancel()
            await asyncio.gather(self._watch, return_exceptions=True)
        with suppress(Exception):
            await self._client.aclose(close_connection_pool=True)

    async def run(self, work: Callable[[], Awaitable[T]]) -> T:
        """Return the result of commands to the store.

        Raises:
            StateAwayError: The store is unreachable.
        """
        if self.problem is not None:
            raise StateAwayError(self.problem)
        try:
            return await _within(_PATIENCE, work())
        except Exception as error:
            problem = why(error)
            self._note(problem)
            raise StateAwayError(problem) from error

    async def _follow(self) -> None:
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(_LOOK):
                    await self._lost.wait()
            if self._lost.is_set():
                await asyncio.sleep(self._pause)
                self._pause = min(2 * self._pause, _LONGEST_PAUSE)
            await self._look()

    async def _look(self) -> None:
        """Check whether the store can be read and written."""
        try:
            await _within(_FIRST_LOOK, self._probe(keys=[f"{KEYS}probe"], args=[1000]))
        except Exception as error:
            self._note(why(error))
            return
        if self.problem is not None:
            logger.info("The shared state is back.")
            self._back_at = time.monotonic()
        self.problem = self._told = None
        self._lost.clear()

    def _note(self, problem: str) -> None:
        """Record an outage, and log each reason once."""
        if self.problem is None and time.monotonic() - self._back_at > _STEADY:
            self._pause = _FIRST_PAUSE
        self.problem = problem
        self._lost.set()
        if problem != self._told:
            logger.warning("%s Until then each sidecar counts for itself.", problem)
            self._told = problem


async def problem_of_state(url: str) -> str | None:
    """Return why the shared state cannot be used; None if it can."""
    link = StateLink(url)
    try:
        await link.open()
        return link.problem
    finally:
        await link.close()


async def _within(seconds: float, work: Awaitable[T]) -> T:
    """Return the result of `work` within `seconds`, plus a short grace period for a blocked event loop.

    Raises:
        TimeoutError: The work did not end in time.
    """
    task = asyncio.ensure_future(work)
    try:
        for patience in (seconds, _GRACE):
            done, _ = await asyncio.wait({task}, timeout=patience)
            if done:
                return task.result()
        raise TimeoutError
    finally:
        task.cancel()
