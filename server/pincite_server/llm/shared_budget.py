"""The daily budget that all sidecars of a site share."""

from pincite_server.llm.circuit_breaker import DailyBudget
from pincite_server.state.link import KEYS, StateAwayError, StateLink

__all__ = ("SharedBudget",)

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


class SharedBudget:
    """Daily budget counted in the shared state, or locally without one. Usage during an outage is reported later.

    Args:
        own: The budget as this sidecar counts it.
        link: The link to the shared state; None for a single sidecar.
    """

    def __init__(self, own: DailyBudget, link: StateLink | None = None) -> None:
        self._own = own
        self._link = link
        self._script = link.client.register_script(_COUNT) if link is not None else None
        self._untold = (own.day, 0, 0)  # unreported usage: day, requests, tokens

    @property
    def is_spent(self) -> bool:
        """Whether this sidecar has seen today's budget spent."""
        return self._own.is_spent

    async def take_call(self) -> bool:
        """Count a request if the budget has one left; return whether it had."""
        if self._own.is_spent:
            return False
        try:
            return await self._tell(wanted=True)
        except StateAwayError:
            self._own.take_call()
            self._add(1, 0)
            return True

    async def take_tokens(self, count: int) -> None:
        """Count prompt and completion tokens."""
        self._own.take_tokens(count)
        self._add(0, count)
        try:
            await self._tell(wanted=False)
        except StateAwayError:
            return  # the next report includes them

    async def _tell(self, *, wanted: bool) -> bool:
        """Report local usage to the shared state; return whether the budget had a request left.

        Raises:
            StateAwayError: There is no shared state, or it is unreachable.
        """
        link, script = self._link, self._script
        if link is None or script is None:
            raise StateAwayError
        self._add(0, 0)
        day, calls, tokens = self._untold
        self._untold = (day, 0, 0)
        limits = (self._own.most_calls, self._own.most_tokens)
        arguments = [int(wanted), *limits, calls, tokens, _KEPT_SECONDS]
        try:
            left, *used = await link.run(lambda: script(keys=[f"{KEYS}budget:{day}"], args=arguments))
        except BaseException:
            if self._untold[0] == day:
                self._add(calls, tokens)
            raise
        if wanted and left:
            self._own.take_call()  # counts locally too, since a restarted store may know less
        self._own.learn(day, *used)
        return bool(left)

    def _add(self, calls: int, tokens: int) -> None:
        """Add unreported usage; drop unreported usage of an earlier day."""
        day, before_calls, before_tokens = self._untold
        if day != self._own.day:
            before_calls = before_tokens = 0
        self._untold = (self._own.day, before_calls + calls, before_tokens + tokens)
