"""The indexes that answer now, replaced as a whole when a new build has written theirs.

Whoever began with the earlier ones ends with them: a request takes the set once and keeps it.
"""

import asyncio
import logging

from pincite_core.errors import PinciteError
from pincite_server.answering.pipeline import answer
from pincite_server.indexes.registry import IndexSet
from pincite_server.indexes.source import IndexSource
from pincite_server.model import Question

__all__ = ("LiveIndexes",)

logger = logging.getLogger("pincite")

_PROBE = Question("How do I get started?")  # any question must be answered or refused, never fail


class LiveIndexes:
    """Holds the current set; without a source it never changes.

    `newest_refused` tells that the files have changed, but cannot be served; the log says why. `swaps` and `refusals`
    count since the start.
    """

    def __init__(self, current: IndexSet, source: IndexSource | None = None) -> None:
        self.current = current
        self.newest_refused = False
        self.swaps = 0
        self.refusals = 0
        self._source = source
        self._seen = current.state

    async def follow(self, seconds: float) -> None:
        """Look at the files every so many seconds until cancelled; opening new ones does not hold up readers."""
        while self._source is not None:
            await asyncio.sleep(seconds)
            await asyncio.to_thread(self.refresh)

    def refresh(self) -> bool:
        """Serve what is on disk if it has changed; return whether it was replaced."""
        state = self._source.state() if self._source else frozenset()
        if self._source is None or not state or state == self._seen:  # no files: a build is under way
            return False
        self._seen = state
        try:
            fresh = self._source.open()
            for served in fresh.served:
                answer(served.engine, _PROBE)
        except PinciteError as error:
            return self._refuse(str(error))
        except Exception as error:  # whatever is wrong with new files, the index that works goes on serving
            return self._refuse(f"{type(error).__name__}: {error}")
        self.current, self.newest_refused = fresh, False
        self.swaps += 1
        logger.info("Serving the new index %s.", fresh.default.index_id)
        return True

    def _refuse(self, why: str) -> bool:
        logger.warning("The new index is refused, the earlier one goes on serving. %s", why)
        self.newest_refused = True
        self.refusals += 1
        return False
