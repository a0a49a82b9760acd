"""A limit that all sidecars of a site keep together."""

import hashlib

from pincite_server.http.admission.limits import WINDOW_SECONDS, Limit, Standing
from pincite_server.state.link import KEYS, StateAwayError, StateLink

__all__ = ("SharedLimit",)

_MILLISECONDS = 1000
_LONGEST_KEY = 64  # bytes that BLAKE2 takes for a key

_TAKE = b"""
local most, window = tonumber(ARGV[1]), tonumber(ARGV[2])
local taken = tonumber(redis.call('GET', KEYS[1]) or '0')
local allowed = taken < most
if allowed then taken = redis.call('INCR', KEYS[1]) end
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  redis.call('PEXPIRE', KEYS[1], window)
  left = window
end
return {allowed and 1 or 0, taken, left}
"""
"""Counts a request if it may be let in, as `Limit.take` does: one step for the store, so that no two count the same."""


class SharedLimit:
    """Counts at the shared state, or here alone where there is none, or while it is away.

    Requests are counted here in any case, so that who has asked much cannot begin anew when the state goes away.

    Args:
        own: What this sidecar counts.
        name: Of the limit.
        link: To what sidecars share, None where there is one alone.
        secret: Makes names of readers and addresses that tell nobody who they are.
    """

    def __init__(self, own: Limit, name: str, link: StateLink | None, secret: bytes) -> None:
        self._own = own
        self._name = name
        self._link = link
        self._secret = secret[:_LONGEST_KEY]
        self._script = link.client.register_script(_TAKE) if link is not None else None

    async def take(self, key: str) -> Standing:
        """Count a request of a key, if it may be let in."""
        here = self._own.take(key)
        link, script = self._link, self._script
        if link is None or script is None:
            return here
        keys, arguments = [self._named(key)], [self._own.most, WINDOW_SECONDS * _MILLISECONDS]
        try:
            allowed, taken, left = await link.run(lambda: script(keys=keys, args=arguments))
        except StateAwayError:
            return here
        return Standing.of(self._own.most, taken, left / _MILLISECONDS, allowed=bool(allowed))

    def _named(self, key: str) -> str:
        digest = hashlib.blake2b(key.encode(), key=self._secret, digest_size=16).hexdigest()
        return f"{KEYS}limit:{self._name}:{digest}"
