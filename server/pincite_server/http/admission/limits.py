"""Fixed-window rate limiter: at most so many requests per key per minute, measured with the monotonic clock."""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, Self

__all__ = ("WINDOW_SECONDS", "Limit", "Standing")

WINDOW_SECONDS = 60
_MOST_KEYS = 100_000  # some 20 MB; a client with more addresses a minute cannot be limited by address anyway


@dataclass(frozen=True, slots=True)
class Standing:
    """The state of a key after a request: the requests left, and the seconds (1 to 60) until the window ends."""

    allowed: bool
    most: int
    remaining: int
    reset: int

    @classmethod
    def of(cls, most: int, taken: int, seconds_left: float, *, allowed: bool) -> Self:
        """Return the state of a key with `taken` allowed requests in a window that ends in `seconds_left`."""
        reset = min(max(1, math.ceil(seconds_left)), WINDOW_SECONDS)
        return cls(allowed, most, max(0, most - taken), reset)

    @property
    def headers(self) -> dict[str, str]:
        """The state as response headers (IETF draft on RateLimit header fields)."""
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
    """Fixed-window rate limiter; a key's minute begins with its first request. Use it from the event loop alone.

    Args:
        most: Requests per key and minute.
        clock: Clock in seconds. The default is monotonic, since the time of day may be set back.
        most_keys: The largest number of keys; beyond it, the oldest key is dropped.
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
        """Count a request of a key if it is allowed, and return the key's state."""
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
        """Once a minute, drop the keys whose window has ended."""
        if not _is_open(self._swept, now):
            self._windows = {key: one for key, one in self._windows.items() if _is_open(one.start, now)}
            self._swept = now


def _is_open(start: float, now: float) -> bool:
    return start <= now < start + WINDOW_SECONDS
