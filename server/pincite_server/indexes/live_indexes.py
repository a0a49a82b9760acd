"""Holds the current indexes, and replaces them together when a new build is deployed.

A request takes the set of indexes once and keeps it, so it ends with the indexes that it began with.
"""

import asyncio
import logging
import random
import threading
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from typing import Protocol

from pincite_core.errors import IndexAwaitedError, IndexFetchError, PinciteError
from pincite_server.indexes.registry import IndexSet, ServedIndex

__all__ = ("BuildSource", "LiveIndexes")

logger = logging.getLogger("pincite")

_FIRST_RETRY_SECONDS = 1.0  # an incomplete deploy is soon complete; each further retry waits twice as long
_LOCAL_SECONDS = 5.0  # checking files costs almost nothing
_REMOTE_SECONDS = 60.0  # a check is one small conditional request
_JITTER = 0.1  # fraction of the interval, so that many sidecars do not poll a host at the same moment
_MOST_DOUBLINGS = 16


class BuildSource(Protocol):
    """A source of new builds."""

    @property
    def is_remote(self) -> bool:
        """Whether a check takes time and may fail temporarily."""

    def refresh(self) -> IndexSet | None:
        """Return the indexes of a new build, or None if there is none.

        Raises:
            IndexFetchError: The build cannot be read now; a retry may succeed.
            PinciteError: The build cannot be served; the error repeats until the build changes.
        """


class LiveIndexes:
    """Holds the current set of indexes; without a source the set never changes."""

    def __init__(self, current: IndexSet | None, source: BuildSource | None = None) -> None:
        self._current = current
        self._source = source
        self._failures = 0
        self.problem: str | None = None  # one sentence on why the newest deploy is not served
        self.looked_at: datetime | None = None  # time of the last successful check
        self.swaps = 0  # replacements since the start
        self.refusals = 0  # refused deploys since the start

    @property
    def current(self) -> IndexSet:
        """The current set of indexes.

        Raises:
            IndexAwaitedError: No index has been available since the start.
        """
        if self._current is None:
            message = "The index of this site's docs does not exist yet. Please try again in a minute."
            raise IndexAwaitedError(message)
        return self._current

    @property
    def served(self) -> tuple[ServedIndex, ...]:
        """The current indexes; empty before the first is available."""
        return self._current.served if self._current else ()

    @property
    def earlier(self) -> tuple[ServedIndex, ...]:
        """The indexes of the previous build, for pages that were loaded before the deploy."""
        return self._current.earlier.served if self._current and self._current.earlier else ()

    async def follow(self, seconds: float | None) -> None:
        """Poll for a new deploy until cancelled. A build is opened on a thread, so that readers do not wait.

        The interval `seconds` is 5 for files and 60 for a URL if it is None; 0 polls only until there is an index.
        """
        if self._source is None:
            return
        if seconds is None:
            seconds = _REMOTE_SECONDS if self._source.is_remote else _LOCAL_SECONDS
        if self._source.is_remote and (seconds or self._current is None):
            await _on_a_daemon_thread(self.refresh)
        while seconds or self._current is None:
            await asyncio.sleep(self._pause(seconds or _REMOTE_SECONDS))
            await _on_a_daemon_thread(self.refresh)

    def refresh(self) -> bool:
        """Check for a new deploy and serve it; return whether the indexes were replaced."""
        if self._source is None:
            return False
        try:
            fresh = self._source.refresh()
        except PinciteError as error:
            return self._refuse(str(error), is_temporary=isinstance(error, IndexFetchError))
        except Exception as error:  # a bug or a failing disk: the working index stays
            logger.exception("The check for a new index failed.")
            return self._refuse(f"The check for a new index failed with {type(error).__name__}.", is_temporary=True)
        self.problem, self._failures, self.looked_at = None, 0, datetime.now(UTC)
        if fresh is None:
            return False
        self._current = fresh
        self.swaps += 1
        logger.info("Serving the new index %s.", fresh.default.index_id)
        return True

    def _pause(self, seconds: float) -> float:
        """Return the seconds until the next check, with jitter; shorter after the first temporary failures."""
        if self._failures:
            seconds = min(seconds, _FIRST_RETRY_SECONDS * 2 ** min(self._failures - 1, _MOST_DOUBLINGS))
        return seconds * random.uniform(1 - _JITTER, 1 + _JITTER)

    def _refuse(self, why: str, *, is_temporary: bool) -> bool:
        self._failures = self._failures + 1 if is_temporary else 0
        if why != self.problem:
            self.refusals += 1
            fallback = "the earlier one is still served" if self._current else "there is no other index yet"
            logger.warning("The newest index is not served; %s. %s", fallback, why)
        self.problem = why
        return False


async def _on_a_daemon_thread(work: Callable[[], object]) -> None:
    """Await `work`, which never raises, on a daemon thread: a hanging download does not block the process's exit."""
    done, loop = asyncio.Event(), asyncio.get_running_loop()

    def run() -> None:
        work()
        with suppress(RuntimeError):  # the loop may have ended
            loop.call_soon_threadsafe(done.set)

    threading.Thread(target=run, name="pincite-index", daemon=True).start()
    await done.wait()
