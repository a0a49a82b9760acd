"""Counts a repeated message once, across all sidecars."""

import time
from collections.abc import Callable

from pincite_server.state.link import KEYS, StateAwayError, StateLink

__all__ = ("Once",)

_SECONDS = 600  # as long as a message's answer is kept
_MOST = 10_000  # keys, some 2 MB


class Once:
    """Detects the first occurrence of a key within ten minutes. Use it from the event loop alone.

    The prefix `name` separates its keys from others; `clock` is monotonic, in seconds.
    """

    def __init__(self, name: str, link: StateLink | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._name = name
        self._link = link
        self._clock = clock
        self._seen: dict[str, float] = {}  # time at which each key is forgotten, in the order of arrival

    async def is_first(self, key: str) -> bool:
        """Record a key; return whether it is new."""
        now = self._clock()
        while self._seen:
            oldest = next(iter(self._seen))
            if self._seen[oldest] > now and len(self._seen) < _MOST:
                break
            del self._seen[oldest]
        if key in self._seen:
            return False
        self._seen[key] = now + _SECONDS
        link = self._link
        if link is None:
            return True
        try:
            name = f"{KEYS}{self._name}:{key}"
            return bool(await link.run(lambda: link.client.set(name, b"1", nx=True, ex=_SECONDS)))
        except StateAwayError:
            return True
