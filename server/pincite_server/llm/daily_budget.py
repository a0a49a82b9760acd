"""The daily budget of the language model, which all sidecars of a site share."""

import datetime
from collections.abc import Callable

from pincite_server.state.link import KEYS, StateAwayError, StateLink

__all__ = ("DailyBudget",)

_KEPT_SECONDS = 2 * 24 * 60 * 60  # covers a day in any sidecar's clock

_COUNT = b"""
local calls = redis.call('HINCRBY', KEYS[1], 'calls', ARGV[4])
local tokens = redis.call('HINCRBY', KEYS[1], 'tokens', ARGV[5])
redis.call('EXPIRE', KEYS[1], ARGV[6])
local most_calls, most_tokens = tonumber(ARGV[2]), tonumber(ARGV[3])
local spent = (most_calls > 0 and calls >= most_calls) or (most_tokens > 0 and tokens >= most_tokens)
if ARGV[1] == '1' and not spent then calls = redis.call('HINCRBY', KEYS[1], 'calls', 1) end
return {spent and 0 or 1, calls, tokens}
"""
"""Lua script that adds the usage, and counts a wanted request if the budget has one left, in one atomic step."""


def _today() -> datetime.date:
    return datetime.datetime.now(datetime.UTC).date()


class DailyBudget:
    """Daily budget of requests and tokens, counted in the shared state, or locally without one.

    Usage during an outage of the shared state is reported later. Use it from one event loop.

    Args:
        calls: Requests a day; 0 is no limit.
        tokens: Prompt and completion tokens a day; 0 is no limit. The request that exceeds the limit is still answered.
        link: The link to the shared state; None for a single sidecar.
        today: Returns the date.
    """

    def __init__(
        self, calls: int, tokens: int, link: StateLink | None = None, today: Callable[[], datetime.date] = _today
    ) -> None:
        self._limits = (calls, tokens)
        self._link, self._today = link, today
        self._script = link.client.register_script(_COUNT) if link is not None else None
        self._day = today()
        self._calls = self._tokens = 0
        self._unreported = (0, 0)  # requests and tokens that the shared state does not have yet

    @property
    def is_spent(self) -> bool:
        """Whether this sidecar has seen today's budget spent."""
        self._renew()
        most_calls, most_tokens = self._limits
        return 0 < most_calls <= self._calls or 0 < most_tokens <= self._tokens

    async def take_call(self) -> bool:
        """Count a request if the budget has one left; return whether it had."""
        if self.is_spent:
            return False
        try:
            return await self._report(wanted=True)
        except StateAwayError:
            self._renew()
            self._calls += 1
            self._unreported = (self._unreported[0] + 1, self._unreported[1])
            return True

    async def take_tokens(self, count: int) -> None:
        """Count prompt and completion tokens."""
        self._renew()
        self._tokens += count
        self._unreported = (self._unreported[0], self._unreported[1] + count)
        try:
            await self._report(wanted=False)
        except StateAwayError:
            return  # the next report includes them

    async def _report(self, *, wanted: bool) -> bool:
        """Report local usage to the shared state; return whether the budget had a request left.

        Raises:
            StateAwayError: There is no shared state, or it is unreachable.
        """
        link, script = self._link, self._script
        if link is None or script is None:
            raise StateAwayError
        self._renew()
        day, (calls, tokens) = self._day, self._unreported
        self._unreported = (0, 0)
        arguments = [int(wanted), *self._limits, calls, tokens, _KEPT_SECONDS]
        try:
            left, used_calls, used_tokens = await link.run(lambda: script(keys=[f"{KEYS}budget:{day}"], args=arguments))
        except BaseException:
            self._renew()
            if self._day == day:
                self._unreported = (self._unreported[0] + calls, self._unreported[1] + tokens)
            raise
        self._renew()
        if wanted and left:
            self._calls += 1  # counts locally too, since a restarted store may know less
        if self._day == day:
            self._calls, self._tokens = max(self._calls, used_calls), max(self._tokens, used_tokens)
        return bool(left)

    def _renew(self) -> None:
        """Start from zero on a new day; unreported usage of the day before is dropped."""
        if self._today() != self._day:
            self._day, self._calls, self._tokens, self._unreported = self._today(), 0, 0, (0, 0)
