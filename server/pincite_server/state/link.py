"""The connection to what sidecars share, which costs readers nothing while it is away."""

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

KEYS = "pincite:"  # what every key begins with

_PATIENCE = 0.5  # seconds that a reader waits, once: a busy machine takes longer than the store; then it is left alone
_GRACE = 0.05  # seconds more for a reply that has arrived and was not read, because the event loop was held up
_FIRST_PAUSE = 0.1  # seconds until it is looked for again; each further pause is twice as long
_LONGEST_PAUSE = 2.0
_STEADY = 10.0  # seconds after which what comes and goes counts as well again
_LOOK = 5.0  # seconds between looks while nothing is wrong, so that `/ready` tells it though nobody asks
_FIRST_LOOK = 1.0  # seconds that the start waits

_PROBE = b"return redis.call('SET', KEYS[1], '1', 'PX', ARGV[1])"  # needs all that is needed: scripts and room

T = TypeVar("T")


class StateAwayError(Exception):
    """The shared state cannot be asked now; whoever asked counts for itself."""


class StateLink:
    """Asks the shared state within half a second; after the first failure nobody asks until it is back.

    `problem` says why it is away, None while it is there. Use it from one event loop.

    Args:
        url: A checked `valkey://...`.
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
        """The client, to register scripts and make stores of; ask it by `run` alone."""
        return self._client

    async def open(self) -> None:
        """Look once, then go on looking in the background."""
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
        """Return what commands to the store return.

        Raises:
            StateAwayError: It is away, or was found to be.
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
        """See whether it can be read and written."""
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
        """Leave it alone, and tell why, once for each reason."""
        if self.problem is None and time.monotonic() - self._back_at > _STEADY:
            self._pause = _FIRST_PAUSE
        self.problem = problem
        self._lost.set()
        if problem != self._told:
            logger.warning("%s Until then each sidecar counts for itself.", problem)
            self._told = problem


async def problem_of_state(url: str) -> str | None:
    """Return why the shared state cannot be used, None when it can."""
    link = StateLink(url)
    try:
        await link.open()
        return link.problem
    finally:
        await link.close()


async def _within(seconds: float, work: Awaitable[T]) -> T:
    """Return what `work` returns in time, or a moment later: the time may have passed while the loop was held up.

    Raises:
        TimeoutError: It did not.
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
