"""Threads on which questions are answered, so that the event loop stays free.

The threads live as long as the process: each keeps its own connection to the index.
"""

import asyncio
import contextvars
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeVar

__all__ = ("Worker",)

P = ParamSpec("P")
T = TypeVar("T")


class Worker:
    """A pool of `threads` threads; what does not fit waits in line, and can be cancelled while it does."""

    def __init__(self, threads: int) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="pincite")

    async def run(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Return what `function` returns on a thread of the pool, where the request's id is known to the log."""
        loop = asyncio.get_running_loop()
        call = partial(contextvars.copy_context().run, function, *args, **kwargs)
        return await loop.run_in_executor(self._pool, call)

    def close(self) -> None:
        """Let running work finish and drop what waits."""
        self._pool.shutdown(wait=True, cancel_futures=True)
