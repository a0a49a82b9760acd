"""A circuit breaker: an endpoint that keeps failing is left alone for a while, so that no reader waits for it."""

import time
from collections.abc import Callable

__all__ = ("CircuitBreaker",)

_FAILURES = 3  # one may be chance, three in a row are an outage
_REST_SECONDS = 30.0  # about what a restart or a rate limit's window takes


class CircuitBreaker:
    """Opens after three failures in a row; every thirty seconds one request may try whether it works again.

    Used from one event loop, so it needs no lock.

    Args:
        clock: Seconds that only grow.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._failures = 0
        self._closed_again_at = 0.0

    @property
    def is_open(self) -> bool:
        """Whether the endpoint is being left alone, or on trial."""
        return self._failures >= _FAILURES

    def allows(self) -> bool:
        """Return whether a request may be made now; while open, one at the end of each rest."""
        if not self.is_open:
            return True
        if self._clock() < self._closed_again_at:
            return False
        self._closed_again_at = self._clock() + _REST_SECONDS  # the others wait for what this one finds
        return True

    def succeeded(self) -> None:
        """Note that the endpoint answers."""
        self._failures = 0

    def failed(self, *, for_good: bool = False) -> None:
        """Note a failure; one that a repetition cannot mend (`for_good`) opens at once."""
        self._failures = max(self._failures + 1, _FAILURES if for_good else 0)
        if self.is_open:
            self._closed_again_at = self._clock() + _REST_SECONDS
