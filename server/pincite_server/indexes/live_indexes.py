"""The indexes that answer now, replaced as a whole when a new build is deployed.

Whoever began with the earlier ones ends with them: a request takes the set once and keeps it.
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

_FIRST_RETRY_SECONDS = 1.0  # half a deploy is whole a moment later; each further retry waits twice as long
_LOCAL_SECONDS = 5.0  # a look at files costs nothing
_REMOTE_SECONDS = 60.0  # one small conditional request
_JITTER = 0.1  # of the interval, so that many sidecars do not ask a host at the same moment
_MOST_DOUBLINGS = 16


class BuildSource(Protocol):
    """Where new builds come from."""

    @property
    def is_remote(self) -> bool:
        """Whether looking takes time and may fail for a while."""

    def refresh(self) -> IndexSet | None:
        """Return the indexes of a new build, None when there is none.

        Raises:
            IndexFetchError: It cannot be had now; trying again may help.
            PinciteError: It cannot be served; the same error comes until it changes.
        """


class LiveIndexes:
    """Holds the current set; without a source it never changes.

    `problem` is one sentence on why the newest deploy is not served, None when it is. `looked_at` is when the site was
    last looked at with success. `swaps` and `refusals` count since the start.
    """

    def __init__(self, current: IndexSet | None, source: BuildSource | None = None) -> None:
        self._current = current
        self._source = source
        self._failures = 0
        self.problem: str | None = None
        self.looked_at: datetime | None = None
        self.swaps = 0
        self.refusals = 0

    @property
    def current(self) -> IndexSet:
        """The set that answers now.

        Raises:
            IndexAwaitedError: There has been none since the start.
        """
        if self._current is None:
            message = "The index of this site's docs is not there yet. Please try again in a minute."
            raise IndexAwaitedError(message)
        return self._current

    @property
    def served(self) -> tuple[ServedIndex, ...]:
        """The indexes that answer now; none before the first is there."""
        return self._current.served if self._current else ()

    @property
    def earlier(self) -> tuple[ServedIndex, ...]:
        """The indexes of the build before, for pages that were loaded before the deploy."""
        return self._current.earlier.served if self._current and self._current.earlier else ()

    @property
    def newest_refused(self) -> bool:
        """Whether the newest deploy is not what is served."""
        return self.problem is not None

    async def follow(self, seconds: float | None) -> None:
        """Look for a new deploy every so many seconds until cancelled; opening it does not hold up readers.

        Args:
            seconds: None is often for files and now and then for a host; 0 looks only as long as there is no index.
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
        """Serve what is deployed if it is new; return whether it was replaced."""
        if self._source is None:
            return False
        try:
            fresh = self._source.refresh()
        except PinciteError as error:
            return self._refuse(str(error), may_pass=isinstance(error, IndexFetchError))
        except Exception as error:  # a bug, or a disk that fails: the index that works goes on serving
            logger.exception("looking for a new index failed")
            return self._refuse(f"{type(error).__name__} while looking for a new index.", may_pass=True)
        self.problem, self._failures, self.looked_at = None, 0, datetime.now(UTC)
        if fresh is None:
            return False
        self._current = fresh
        self.swaps += 1
        logger.info("Serving the new index %s.", fresh.default.index_id)
        return True

    def _pause(self, seconds: float) -> float:
        """Return how long to wait: not as long at first after a failure that may pass, with some jitter."""
        if self._failures:
            seconds = min(seconds, _FIRST_RETRY_SECONDS * 2 ** min(self._failures - 1, _MOST_DOUBLINGS))
        return seconds * random.uniform(1 - _JITTER, 1 + _JITTER)

    def _refuse(self, why: str, *, may_pass: bool) -> bool:
        self._failures = self._failures + 1 if may_pass else 0
        if why != self.problem:
            self.refusals += 1
            goes_on = "the earlier one goes on serving" if self._current else "there is none to serve yet"
            logger.warning("The newest index is not served, %s. %s", goes_on, why)
        self.problem = why
        return False


async def _on_a_daemon_thread(work: Callable[[], object]) -> None:
    """Wait for `work`, which never raises; a download that hangs does not keep the process from ending."""
    done, loop = asyncio.Event(), asyncio.get_running_loop()

    def run() -> None:
        work()
        with suppress(RuntimeError):  # the loop has ended meanwhile
            loop.call_soon_threadsafe(done.set)

    threading.Thread(target=run, name="pincite-index", daemon=True).start()
    await done.wait()
