"""Thread pool that answers requests in the order of a fair queue, and the middleware that names their clients."""

import asyncio
import contextvars
import copy
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import ContextVar
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, ParamSpec, Self, TypeVar

from litestar.connection import ASGIConnection
from litestar.enums import ScopeType
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Receive, Scope, Send

from pincite_core.budget import Budget
from pincite_server.http.admission.fair_queue import SHARES, FairQueue, Lane, WeightedFairQueue
from pincite_server.http.admission.session_tokens import SessionTokens, reader_of, valid_token
from pincite_server.http.transport.addresses import network_of

__all__ = ("REQUEST_CLIENT", "ClientMiddleware", "RequestClient", "Worker", "client_of")

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(slots=True)
class RequestClient:
    """The client of a request, and the seconds of processor time that the request has used so far."""

    name: str
    lane: Lane = "anonymous"
    used: float = 0.0


REQUEST_CLIENT: ContextVar[RequestClient] = ContextVar("pincite_request_client")
"""The client of the current request; unset outside of a request."""


class ClientMiddleware(ASGIMiddleware):
    """Middleware that sets the client and the lane of a request for the worker.

    Each kind of request is queued separately. Otherwise many lookups from an address would delay the first questions
    of all new readers behind it, which have a limit by the minute already.
    """

    scopes = (ScopeType.HTTP,)

    def __init__(self, tokens: SessionTokens, kind: Literal["question", "lookup"]) -> None:
        self._tokens = tokens
        self._kind = kind

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """Handle a request."""
        connection = ASGIConnection[Any, Any, Any, Any](scope)
        host = connection.client.host if connection.client else ""
        token = valid_token(scope, self._tokens)
        client = client_of(host, reader_of(token))
        reset = REQUEST_CLIENT.set(RequestClient(f"{self._kind} of {client}", "readers" if token else "anonymous"))
        try:
            await next_app(scope, receive, send)
        finally:
            REQUEST_CLIENT.reset(reset)


def client_of(host: str, reader: str) -> str:
    """Return the name of a client: a reader with a session token (else ""), or all other clients of an address."""
    return f"reader {reader}" if reader else f"address {network_of(host)}"


class _FifoLock:
    """Lock that serves its waiters in order; `threading.Lock` does not guarantee an order."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._is_taken = False
        self._waiting: deque[threading.Lock] = deque()

    def take(self) -> None:
        with self._lock:
            if not self._is_taken:
                self._is_taken = True
                return
            own = threading.Lock()
            own.acquire()
            self._waiting.append(own)
        own.acquire()

    def give(self) -> None:
        with self._lock:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._is_taken = False


@dataclass(slots=True, eq=False)
class _Job:
    call: Callable[[], Any]
    budget: Budget
    result: Future[Any]


class Worker:
    """Runs functions on `threads` threads; further calls wait in a fair queue. Call it from one event loop.

    One request may take `seconds` of processor time.
    """

    def __init__(self, threads: int, seconds: float) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="pincite")
        self._seconds = seconds
        self._queue = WeightedFairQueue[_Job](lambda: WeightedFairQueue(FairQueue, SHARES))  # by site, lane, client
        self._site = ""
        self._lock = threading.Lock()
        self._turn = _FifoLock()

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
        client = REQUEST_CLIENT.get(None) or RequestClient("")
        budget = Budget(self._seconds - client.used, turn=self._turn)
        work = partial(budget.run, function, *args, **kwargs)
        job = _Job(partial(contextvars.copy_context().run, work), budget, Future())
        path = (self._site, client.lane, client.name)
        with self._lock:
            self._queue.add(path, job)
        self._pool.submit(self._work)
        try:
            return await asyncio.wrap_future(job.result)
        except asyncio.CancelledError:
            with self._lock:
                self._queue.remove(path, job)
            budget.stop()
            raise
        finally:
            client.used += budget.used

    def close(self) -> None:
        """Wait for running calls, and cancel waiting ones."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        with self._lock:
            while (taken := self._queue.take()) is not None:
                taken[1].result.cancel()
        self._pool.shutdown(wait=True)

    def _work(self) -> None:
        """Run the next job of the queue, so that threads need not wait for the event loop to assign one."""
        with self._lock:
            taken = self._queue.take()
        if taken is None:  # a waiting caller was cancelled
            return
        path, job = taken
        if job.result.set_running_or_notify_cancel():
            try:
                job.result.set_result(job.call())
            except BaseException as error:
                job.result.set_exception(error)
        with self._lock:
            self._queue.charge(path, job.budget.used)
