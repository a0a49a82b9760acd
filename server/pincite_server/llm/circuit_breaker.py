"""When the endpoint is left alone: a circuit breaker for one that fails, and the budget of a day."""

import datetime
import time
from collections.abc import Callable

__all__ = ("CircuitBreaker", "DailyBudget")

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


def _today() -> datetime.date:
    return datetime.datetime.now(datetime.UTC).date()


class DailyBudget:
    """Counts requests and tokens, from one event loop.

    Args:
        calls: Requests a day; 0 is no limit.
        tokens: Tokens a day, read and written; 0 is no limit. The request that crosses it is still answered.
        today: Returns the date.
    """

    def __init__(self, calls: int, tokens: int, today: Callable[[], datetime.date] = _today) -> None:
        self.most_calls, self.most_tokens = calls, tokens
        self._today = today
        self._day = today()
        self._calls = self._tokens = 0

    @property
    def is_spent(self) -> bool:
        """Whether nothing is left for today."""
        self._turn_the_page()
        calls_spent = bool(self.most_calls) and self._calls >= self.most_calls
        return calls_spent or (bool(self.most_tokens) and self._tokens >= self.most_tokens)

    @property
    def day(self) -> datetime.date:
        """The day that is counted."""
        self._turn_the_page()
        return self._day

    def learn(self, day: datetime.date, calls: int, tokens: int) -> None:
        """Take over what all sidecars together have used on a day, if that is more than is known."""
        if day == self.day:
            self._calls, self._tokens = max(self._calls, calls), max(self._tokens, tokens)

    def take_call(self) -> None:
        """Note a request."""
        self._turn_the_page()
        self._calls += 1

    def take_tokens(self, count: int) -> None:
        """Note tokens."""
        self._turn_the_page()
        self._tokens += count

    def _turn_the_page(self) -> None:
        if self._today() != self._day:
            self._day, self._calls, self._tokens = self._today(), 0, 0
