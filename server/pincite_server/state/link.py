"""The address of the shared state, and the connection to it. Readers do not wait for it during an outage."""

import asyncio
import logging
import socket
import ssl
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from importlib.util import find_spec
from typing import TYPE_CHECKING, TypeVar

from pincite_core.errors import InputError
from pincite_core.urls import parse_url

if TYPE_CHECKING:
    from valkey.asyncio import Valkey

__all__ = ("KEYS", "StateAwayError", "StateLink", "check_state_address", "problem_of_state")

logger = logging.getLogger("pincite")

KEYS = "pincite:"  # prefix of every key

_ADDRESS_FORM = "Write it as valkey://:PASSWORD@HOST:6379/0 (also valkeys, redis, rediss, unix)."
_CONNECTIONS = 32  # connections of a sidecar; a command takes some tenths of a millisecond, so few run at once
_SECONDS = 1.0  # timeout of background checks, for which no reader waits
_TIMEOUT = 0.5  # seconds; only the first request of an outage waits so long. A busy machine is slow to reply
_GRACE = 0.05  # seconds more to read a reply that arrived while the event loop was blocked
_FIRST_PAUSE = 0.1  # seconds until the first retry; each further pause is twice as long
_LONGEST_PAUSE = 2.0
_STEADY = 10.0  # seconds without a failure after which the pause is short again
_CHECK_INTERVAL = 5.0  # seconds between checks, so that `/ready` is current even without questions
_CHECK_TIMEOUT = 1.0  # seconds; the timeout of each check, and so the longest delay of the start

_PROBLEMS = {  # parts of an error, and the problem; the first match counts
    ("Authentication required", "NOAUTH", "HELLO must be called"): (
        "requires a password. Write it into PINCITE_STATE: valkey://:PASSWORD@HOST:6379"
    ),
    ("without any password configured",): "has no password, but PINCITE_STATE gives one. Remove it, or set it there.",
    ("invalid password",): "rejects the password in PINCITE_STATE. Correct it.",
    ("WRONGPASS", "AuthenticationError"): "rejects the user or the password in PINCITE_STATE. Correct them.",
    ("NOPERM", "NoPermission"): (
        "does not give the user in PINCITE_STATE enough permissions. Grant it ~pincite:* and +@all."
    ),
    ("OOM", "OutOfMemory"): "is full. Give it more memory (maxmemory), or let it evict keys (maxmemory-policy).",
    ("READONLY", "ReadOnly"): "is read-only. Name the primary in PINCITE_STATE.",
    ("MISCONF",): "cannot write to its disk. Free some space, or turn off its persistence (save '').",
    ("BusyLoading", "LOADING"): "is loading its data. Wait until it is ready.",
    ("WRONGTYPE",): (
        "has another program's value under a key of Pincite. Give Pincite its own database: valkey://HOST/1"
    ),
    ("Moved", "MOVED", "CROSSSLOT"): "is a cluster. Name a server without cluster mode in PINCITE_STATE.",
    ("max number of clients",): "accepts no more connections. Raise its maxclients.",
    ("DB index",): "does not have the database number in PINCITE_STATE. Name an existing database.",
}

_PROBE = b"return redis.call('SET', KEYS[1], '1', 'PX', ARGV[1])"  # tests scripts and free memory

T = TypeVar("T")


class StateAwayError(Exception):
    """The shared state is unreachable; the caller counts locally."""


def check_state_address(url: str) -> None:
    """Check an address without connecting.

    Raises:
        InputError: The address is invalid, or the client is not installed. The message shows no part of the address,
            which may hold a password.
    """
    parts = parse_url(url)
    if parts is None or parts.scheme not in {"valkey", "valkeys", "redis", "rediss", "unix"}:
        message = f"PINCITE_STATE is not an address of a Valkey or Redis server. {_ADDRESS_FORM}"
        raise InputError(message)
    if not (parts.path if parts.scheme == "unix" else parts.hostname):
        message = f"PINCITE_STATE has no host. {_ADDRESS_FORM}"
        raise InputError(message)
    if parts.scheme != "unix" and not (parts.path.strip("/") or "0").isdecimal():
        message = f"PINCITE_STATE does not end in a database number. {_ADDRESS_FORM}"
        raise InputError(message)
    if find_spec("valkey") is None:
        message = "PINCITE_STATE needs the client of Valkey. Install it: pip install 'pincite[serve,state]'"
        raise InputError(message)
    try:
        _client(url)
    except (TypeError, ValueError) as error:  # invalid URL parameters
        message = f"PINCITE_STATE has an invalid parameter. {_ADDRESS_FORM}"
        raise InputError(message) from error


def _client(url: str) -> "Valkey":
    """Return a client that connects at its first command and never retries a command."""
    from valkey.asyncio import BlockingConnectionPool, Valkey
    from valkey.asyncio.retry import Retry
    from valkey.backoff import NoBackoff

    pool = BlockingConnectionPool.from_url(
        url,
        max_connections=_CONNECTIONS,
        timeout=_SECONDS,
        socket_timeout=_SECONDS,
        socket_connect_timeout=_SECONDS,
        retry=Retry(NoBackoff(), 0),
    )
    return Valkey(connection_pool=pool)


class StateLink:
    """Runs commands on the shared state with a timeout of half a second. During an outage, calls fail at once.

    `problem` is the reason of the outage; None while the state is reachable. Use it from one event loop.
    """

    def __init__(self, url: str) -> None:
        self.problem: str | None = None
        self.client: Valkey = _client(url)  # for registering scripts and creating stores; run commands with `run`
        self._probe = self.client.register_script(_PROBE)
        self._is_lost = asyncio.Event()
        self._checking: asyncio.Task[None] | None = None
        self._pause = _FIRST_PAUSE
        self._back_at = 0.0
        self._logged: str | None = None

    async def open(self) -> None:
        """Check the connection once, then keep checking in the background."""
        await self._check()
        self._checking = asyncio.create_task(self._keep_checking())

    async def close(self) -> None:
        """Close all connections."""
        if self._checking is not None:
            self._checking.cancel()
            await asyncio.gather(self._checking, return_exceptions=True)
        with suppress(Exception):
            await self.client.aclose(close_connection_pool=True)

    async def run(self, work: Callable[[], Awaitable[T]]) -> T:
        """Return the result of commands to the store.

        Raises:
            StateAwayError: The store is unreachable.
        """
        if self.problem is not None:
            raise StateAwayError(self.problem)
        try:
            return await _within(_TIMEOUT, work())
        except Exception as error:
            problem = _problem_of(error)
            self._note(problem)
            raise StateAwayError(problem) from error

    async def _keep_checking(self) -> None:
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(_CHECK_INTERVAL):
                    await self._is_lost.wait()
            if self._is_lost.is_set():
                await asyncio.sleep(self._pause)
                self._pause = min(2 * self._pause, _LONGEST_PAUSE)
            await self._check()

    async def _check(self) -> None:
        """Check whether the store can be read and written."""
        try:
            await _within(_CHECK_TIMEOUT, self._probe(keys=[f"{KEYS}probe"], args=[1000]))
        except Exception as error:
            self._note(_problem_of(error))
            return
        if self.problem is not None:
            logger.info("The shared state is reachable again.")
            self._back_at = time.monotonic()
        self.problem = self._logged = None
        self._is_lost.clear()

    def _note(self, problem: str) -> None:
        """Record an outage, and log each reason once."""
        if self.problem is None and time.monotonic() - self._back_at > _STEADY:
            self._pause = _FIRST_PAUSE
        self.problem = problem
        self._is_lost.set()
        if problem != self._logged:
            logger.warning("%s Until then, each sidecar counts for itself.", problem)
            self._logged = problem


def _problem_of(error: BaseException) -> str:
    """Return the problem and its fix for the operator, without addresses or passwords."""
    text = f"{type(error).__name__} {error}"  # the client may show only its own type, without the server's error code
    for markers, problem in _PROBLEMS.items():
        if any(marker in text for marker in markers):
            return f"The shared state {problem}"
    causes: list[BaseException] = []
    cause: BaseException | None = error
    while cause is not None and cause not in causes:
        causes.append(cause)
        cause = cause.__cause__ or cause.__context__
    if any(isinstance(cause, socket.gaierror) for cause in causes):
        return "The host name of the shared state cannot be resolved. Correct PINCITE_STATE."
    if any(isinstance(cause, ssl.SSLError) for cause in causes):
        return "The TLS connection to the shared state failed. Check its certificate, and valkey:// or valkeys://."
    if type(error).__name__ in {"InvalidResponse", "ResponseError"} or "Protocol Error" in text:
        return "PINCITE_STATE does not name a Valkey or Redis server. Correct it."
    return "The shared state does not answer. Start it, or correct PINCITE_STATE."


async def problem_of_state(url: str) -> str | None:
    """Return why the shared state cannot be used; None if it can."""
    link = StateLink(url)
    try:
        await link.open()
        return link.problem
    finally:
        await link.close()


async def _within(seconds: float, work: Awaitable[T]) -> T:
    """Return the result of `work`; raise TimeoutError after `seconds` and a grace period for a blocked event loop."""
    task = asyncio.ensure_future(work)
    try:
        for patience in (seconds, _GRACE):
            done, _ = await asyncio.wait({task}, timeout=patience)
            if done:
                return task.result()
        raise TimeoutError
    finally:
        task.cancel()
