"""Circuit breaker for requests to the language model's endpoint."""

import time
from collections.abc import Callable

__all__ = ("CircuitBreaker",)

_FAILURES = 3  # one failure may be chance, three in a row are an outage
_REST_SECONDS = 30.0  # seconds; about as long as a restart, or the window of a rate limit


class CircuitBreaker:
    """Opens after three failures in a row, and then allows one trial request every thirty seconds.

    Use it from one event loop, so that it needs no lock. `clock` is monotonic, in seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._failures = 0
        self._closed_again_at = 0.0

    @property
    def is_open(self) -> bool:
        """Whether the circuit breaker is open, trial requests included."""
        return self._failures >= _FAILURES

    def allows(self) -> bool:
        """Return whether a request may be sent now; while open, one at the end of each pause."""
        if not self.is_open:
            return True
        if self._clock() < self._closed_again_at:
            return False
        self._closed_again_at = self._clock() + _REST_SECONDS  # other requests wait for the result of this trial
        return True

    def succeeded(self) -> None:
        """Record a success."""
        self._failures = 0

    def failed(self, *, for_good: bool = False) -> None:
        """Record a failure; a permanent failure (`for_good`) opens the circuit breaker at once."""
        self._failures = max(self._failures + 1, _FAILURES if for_good else 0)
        if self.is_open:
            self._closed_again_at = self._clock() + _REST_SECONDS
