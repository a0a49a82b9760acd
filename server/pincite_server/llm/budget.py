"""What may be asked of the language model in a day (UTC). Kept in memory: a restart begins a new day."""

import datetime
from collections.abc import Callable

__all__ = ("DailyBudget",)


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
        self._most_calls, self._most_tokens = calls, tokens
        self._today = today
        self._day = today()
        self._calls = self._tokens = 0

    @property
    def is_spent(self) -> bool:
        """Whether nothing is left for today."""
        self._turn_the_page()
        calls_spent = bool(self._most_calls) and self._calls >= self._most_calls
        return calls_spent or (bool(self._most_tokens) and self._tokens >= self._most_tokens)

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
