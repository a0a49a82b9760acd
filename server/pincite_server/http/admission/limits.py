"""So many requests of a key in a minute, by a clock that nobody sets."""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, Self

__all__ = ("WINDOW_SECONDS", "Limit", "Standing")

WINDOW_SECONDS = 60
_MOST_KEYS = 100_000  # some 20 MB; who sends from more addresses within a minute is not held by counting them


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a key stands after a request: how many are left, and in how many seconds, 1 to 60, all are there again."""

    allowed: bool
    most: int
    remaining: int
    reset: int

    @classmethod
    def of(cls, most: int, taken: int, seconds_left: float, *, allowed: bool) -> Self:
        """Return where a key stands that was let in `taken` times in a window that ends in so many seconds."""
        reset = min(max(1, math.ceil(seconds_left)), WINDOW_SECONDS)
        return cls(allowed, most, max(0, most - taken), reset)

    @property
    def headers(self) -> dict[str, str]:
        """The same for a client (IETF draft on RateLimit header fields)."""
        return {
            "RateLimit-Policy": f"{self.most}; w={WINDOW_SECONDS}",
            "RateLimit-Limit": str(self.most),
            "RateLimit-Remaining": str(self.remaining),
            "RateLimit-Reset": str(self.reset),
        }


class _Window(NamedTuple):
    start: float
    taken: int


class Limit:
    """Lets in so many requests of a key in a minute, which begins with the first. Belongs to the event loop.

    Args:
        most: How many.
        clock: Seconds since whenever. The default is not the time of day, which is corrected and put back.
        most_keys: How many keys are known at a time; the one known longest is forgotten for another.
    """

    def __init__(self, most: int, clock: Callable[[], float] = time.monotonic, most_keys: int = _MOST_KEYS) -> None:
        self.most = most
        self._most_keys = most_keys
        self._clock = clock
        self._windows: dict[str, _Window] = {}
        self._swept = clock()

    def __len__(self) -> int:
        return len(self._windows)

    def take(self, key: str) -> Standing:
        """Count a request of a key, if it may be let in."""
        now = self._clock()
        self._sweep(now)
        window = self._windows.get(key)
        if window is None or not _is_open(window.start, now):
            window = _Window(now, 0)
        allowed = window.taken < self.most
        if allowed:
            if len(self._windows) >= self._most_keys and key not in self._windows:
                del self._windows[next(iter(self._windows))]
            window = self._windows[key] = window._replace(taken=window.taken + 1)
        return Standing.of(self.most, window.taken, window.start + WINDOW_SECONDS - now, allowed=allowed)

    def _sweep(self, now: float) -> None:
        """Forget once a minute whose minute is over."""
        if not _is_open(self._swept, now):
            self._windows = {key: one for key, one in self._windows.items() if _is_open(one.start, now)}
            self._swept = now


def _is_open(start: float, now: float) -> bool:
    return start <= now < start + WINDOW_SECONDS
