"""Thread pool that answers requests in the order of a fair queue."""

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
    """The client of a request, and the processor time that the request has used.

    Attributes:
        client: The client's name.
        lane: "readers" with a valid session token, otherwise "newcomers".
        used: Seconds of processor time that the request has used so far.
    """

    client: str
    lane: Lane = "newcomers"
    used: float = 0.0


ASKING: ContextVar[Asking] = ContextVar("pincite_asking")
"""The client of the current request; unset outside of a request."""


class _OneAtATime:
    """FIFO lock; `threading.Lock` does not guarantee an order."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._is_taken = False
        self._waiting: deque[threading.Lock] = deque()

    def take(self) -> None:
        """Acquire the lock after all earlier waiters."""
        with self._lock:
            if not self._is_taken:
                self._is_taken = True
                return
            own = threading.Lock()
            own.acquire()
            self._waiting.append(own)
        own.acquire()

    def give(self) -> None:
        """Pass the lock to the next waiter, or release it."""
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
        """Run the call on a pool thread, and set the result on the event loop."""
        loop = self.reply.get_loop()
        try:
            result = self.call()
        except BaseException as error:
            loop.call_soon_threadsafe(self._settle, self.reply.set_exception, error)
        else:
            loop.call_soon_threadsafe(self._settle, self.reply.set_result, result)

    def _settle(self, settle: Callable[[Any], None], value: Any) -> None:
        if not self.reply.done():  # the caller has stopped waiting
            settle(value)


class Worker:
    """Runs functions on `threads` threads; further calls wait in a `SiteQueue`. Call it from one event loop.

    Args:
        threads: The number of threads.
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
        """The number of calls that wait for a thread."""
        return len(self._queue)

    def of_site(self, site: str) -> Self:
        """Return a worker with the same threads and queue for the requests of one of several sites."""
        own = copy.copy(self)
        own._site = site
        return own

    async def run(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Return the result of `function`, called on a pool thread with the caller's context variables.

        A cancelled caller frees its place at once. A waiting call never starts, and a running call ends at its next
        budget check.

        Raises:
            Problem: Too many calls are waiting.
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
        """Wait for running calls, and cancel waiting ones."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        with self._lock:
            while (taken := self._queue.take()) is not None:
                taken.turn.item.reply.cancel()
        self._pool.shutdown(wait=True)

    def _work(self) -> None:
        """Run the next job of the queue, so that threads need not wait for the event loop to assign one."""
        with self._lock:
            taken = self._queue.take()
        if taken is None:  # a waiting caller was cancelled
            return
        job = taken.turn.item
        job.run()
        with self._lock:
            self._queue.charge(taken, job.budget.used)
