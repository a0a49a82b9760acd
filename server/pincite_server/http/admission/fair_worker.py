"""The threads that answer: nobody waits behind all that another one asks, nor readers behind newcomers without end."""

import asyncio
import contextvars
import copy
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar
from dataclasses import dataclass
from functools import partial
from typing import Any, ParamSpec, Self, TypeVar

from pincite_core.budget import Budget
from pincite_server.http.admission.fair_queue import Lane
from pincite_server.http.admission.site_queue import SiteQueue

__all__ = ("ASKING", "Asking", "Worker")

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(slots=True)
class Asking:
    """Whom a request is from.

    Attributes:
        client: The client's name.
        lane: Whether it is a reader who was answered before.
        used: How many seconds of processor time the request has used so far.
    """

    client: str
    lane: Lane = "newcomers"
    used: float = 0.0


ASKING: ContextVar[Asking] = ContextVar("pincite_asking")
"""What is known of the request that is being answered; not set outside of one."""


class _OneAtATime:
    """A turn that goes to who has waited longest; `threading.Lock` gives it to whom it likes."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._is_taken = False
        self._waiting: deque[threading.Lock] = deque()

    def take(self) -> None:
        """Wait for it, behind all who wait already."""
        with self._lock:
            if not self._is_taken:
                self._is_taken = True
                return
            own = threading.Lock()
            own.acquire()
            self._waiting.append(own)
        own.acquire()

    def give(self) -> None:
        """Let the next one have it."""
        with self._lock:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._is_taken = False


@dataclass(slots=True, eq=False)
class _Job:
    call: Callable[[], Any]
    budget: Budget
    reply: "asyncio.Future[Any]"

    def run(self) -> None:
        """Work on it, and let the event loop know; called on a thread of the pool."""
        loop = self.reply.get_loop()
        try:
            result = self.call()
        except BaseException as error:
            loop.call_soon_threadsafe(self._settle, self.reply.set_exception, error)
        else:
            loop.call_soon_threadsafe(self._settle, self.reply.set_result, result)

    def _settle(self, settle: Callable[[Any], None], value: Any) -> None:
        if not self.reply.done():  # nobody waits any more
            settle(value)


class Worker:
    """Answers on `threads` threads; what does not fit waits in a `SiteQueue`. Call it from one event loop.

    Args:
        threads: How much is worked on at the same time.
        seconds: The processor time that one request may take.
    """

    def __init__(self, threads: int, seconds: float) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="pincite")
        self._seconds = seconds
        self._queue = SiteQueue[_Job]()
        self._site = ""
        self._lock = threading.Lock()
        self._turn = _OneAtATime()

    @property
    def waiting(self) -> int:
        """How much waits for a thread."""
        return len(self._queue)

    def of_site(self, site: str) -> Self:
        """Return these same threads for the questions of one of several sites, which take turns."""
        own = copy.copy(self)
        own._site = site
        return own

    async def run(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Return what `function` returns on a thread of the pool, where the request's id is known to the log.

        Who stops waiting frees the place at once: what waits is never begun, what runs ends where it next asks for its
        budget.

        Raises:
            Problem: Too much is waiting already.
            WorkLimitError: The request's processor time is spent.
        """
        asking = ASKING.get(None) or Asking("")
        budget = Budget(self._seconds - asking.used, turn=self._turn)
        work = partial(budget.run, function, *args, **kwargs)
        call = partial(contextvars.copy_context().run, work)
        job = _Job(call, budget, asyncio.get_running_loop().create_future())
        with self._lock:
            self._queue.add(self._site, asking.lane, asking.client, job)
        self._pool.submit(self._work)
        try:
            return await job.reply  # type: ignore[no-any-return]
        except asyncio.CancelledError:
            with self._lock:
                self._queue.remove(self._site, asking.lane, asking.client, job)
            budget.stop()
            raise
        finally:
            asking.used += budget.used

    def close(self) -> None:
        """Let running work finish and drop what waits."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        with self._lock:
            while (taken := self._queue.take()) is not None:
                taken.turn.item.reply.cancel()
        self._pool.shutdown(wait=True)

    def _work(self) -> None:
        """Work on what is next, whatever it is: the threads do not wait for the event loop to hand it to them."""
        with self._lock:
            taken = self._queue.take()
        if taken is None:  # somebody left
            return
        job = taken.turn.item
        job.run()
        with self._lock:
            self._queue.charge(taken, job.budget.used)
