"""The day's budget of all sidecars of a site together."""

from pincite_server.llm.circuit_breaker import DailyBudget
from pincite_server.state.link import KEYS, StateAwayError, StateLink

__all__ = ("SharedBudget",)

_KEPT_SECONDS = 2 * 24 * 60 * 60  # a day, wherever the clocks of the sidecars stand

_COUNT = b"""
local calls = redis.call('HINCRBY', KEYS[1], 'calls', ARGV[4])
local tokens = redis.call('HINCRBY', KEYS[1], 'tokens', ARGV[5])
redis.call('EXPIRE', KEYS[1], ARGV[6])
local most_calls, most_tokens = tonumber(ARGV[2]), tonumber(ARGV[3])
local spent = (most_calls > 0 and calls >= most_calls) or (most_tokens > 0 and tokens >= most_tokens)
if ARGV[1] == '1' and not spent then calls = redis.call('HINCRBY', KEYS[1], 'calls', 1) end
return {spent and 0 or 1, calls, tokens}
"""
"""Counts what was used, then a request if one is wanted and left: one step, so that no two take the last."""


class SharedBudget:
    """Counts at the shared state, or here alone where there is none; what was used while it was away is told it later.

    Args:
        own: What this sidecar knows to be used.
        link: To what sidecars share, None where there is one alone.
    """

    def __init__(self, own: DailyBudget, link: StateLink | None = None) -> None:
        self._own = own
        self._link = link
        self._script = link.client.register_script(_COUNT) if link is not None else None
        self._untold = (own.day, 0, 0)  # of which day, requests, tokens

    @property
    def is_spent(self) -> bool:
        """Whether it is known that nothing is left for today."""
        return self._own.is_spent

    async def take_call(self) -> bool:
        """Note a request if there is one left; return whether there was."""
        if self._own.is_spent:
            return False
        try:
            return await self._tell(wanted=True)
        except StateAwayError:
            self._own.take_call()
            self._add(1, 0)
            return True

    async def take_tokens(self, count: int) -> None:
        """Note tokens, read and written."""
        self._own.take_tokens(count)
        self._add(0, count)
        try:
            await self._tell(wanted=False)
        except StateAwayError:
            return  # they are told with what comes next

    async def _tell(self, *, wanted: bool) -> bool:
        """Tell the state what it does not know yet; return whether something was left.

        Raises:
            StateAwayError: There is none, or it cannot be asked now.
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
            self._own.take_call()  # a store that began empty knows of fewer
        self._own.learn(day, *used)
        return bool(left)

    def _add(self, calls: int, tokens: int) -> None:
        """Remember what is to be told; what is left of another day is of no use any more."""
        day, before_calls, before_tokens = self._untold
        if day != self._own.day:
            before_calls = before_tokens = 0
        self._untold = (self._own.day, before_calls + calls, before_tokens + tokens)
