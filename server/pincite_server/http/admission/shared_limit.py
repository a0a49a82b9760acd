"""A rate limit that all sidecars of a site count together in Valkey."""

import hashlib

from pincite_server.http.admission.limits import WINDOW_SECONDS, Limit, Standing
from pincite_server.state.link import KEYS, StateAwayError, StateLink

__all__ = ("SharedLimit",)

_MILLISECONDS = 1000
_LONGEST_KEY = 64  # bytes; the longest key of BLAKE2

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
"""Lua script that counts a request if it is allowed, as `Limit.take` does, in one atomic step."""


class SharedLimit:
    """Rate limit counted in the shared state, or locally if there is none or it is unreachable.

    Requests are always counted locally too. So a client gets no new quota when the shared state becomes unreachable.

    Args:
        own: The local rate limiter.
        name: The limit's name.
        link: The link to the shared state; None for a single sidecar.
        secret: Keys the hashes of readers and addresses, so that stored names identify nobody.
    """

    def __init__(self, own: Limit, name: str, link: StateLink | None, secret: bytes) -> None:
        self._own = own
        self._name = name
        self._link = link
        self._secret = secret[:_LONGEST_KEY]
        self._script = link.client.register_script(_TAKE) if link is not None else None

    async def take(self, key: str) -> Standing:
        """Count a request of a key if it is allowed, and return the key's state."""
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
