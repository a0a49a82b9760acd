"""Limits requests to the language model's endpoint: a circuit breaker and a daily budget."""

import datetime
import time
from collections.abc import Callable

__all__ = ("CircuitBreaker", "DailyBudget")

_FAILURES = 3  # one failure may be chance, three in a row are an outage
_REST_SECONDS = 30.0  # seconds; about as long as a restart, or the window of a rate limit


class CircuitBreaker:
    """Circuit breaker that opens after three failures in a row, and then allows one trial request every thirty seconds.

    Use it from one event loop, so that it needs no lock.

    Args:
        clock: Monotonic clock in seconds.
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


def _today() -> datetime.date:
    return datetime.datetime.now(datetime.UTC).date()


class DailyBudget:
    """Daily budget of requests and tokens. Use it from one event loop.

    Args:
        calls: Requests a day; 0 is no limit.
        tokens: Prompt and completion tokens a day; 0 is no limit. The request that exceeds the limit is still answered.
        today: Returns the date.
    """

    def __init__(self, calls: int, tokens: int, today: Callable[[], datetime.date] = _today) -> None:
        self.most_calls, self.most_tokens = calls, tokens
        self._today = today
        self._day = today()
        self._calls = self._tokens = 0

    @property
    def is_spent(self) -> bool:
        """Whether today's budget is spent."""
        self._turn_the_page()
        calls_spent = bool(self.most_calls) and self._calls >= self.most_calls
        return calls_spent or (bool(self.most_tokens) and self._tokens >= self.most_tokens)

    @property
    def day(self) -> datetime.date:
        """The day that is counted."""
        self._turn_the_page()
        return self._day

    def learn(self, day: datetime.date, calls: int, tokens: int) -> None:
        """Raise the counts of a day to those of all sidecars together."""
        if day == self.day:
            self._calls, self._tokens = max(self._calls, calls), max(self._tokens, tokens)

    def take_call(self) -> None:
        """Count a request."""
        self._turn_the_page()
        self._calls += 1

    def take_tokens(self, count: int) -> None:
        """Count tokens."""
        self._turn_the_page()
        self._tokens += count

    def _turn_the_page(self) -> None:
        if self._today() != self._day:
            self._day, self._calls, self._tokens = self._today(), 0, 0
