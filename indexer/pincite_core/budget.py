"""Limit the processor time of a task. Long loops call `check_budget`, which raises an error when the time is used up.

The limit is thread CPU time and not wall time, so the result does not depend on the load of the machine. A turn lets
only one thread run Python at a time, since the interpreter lock makes switching between threads expensive.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from time import perf_counter, thread_time
from typing import ParamSpec, Protocol, TypeVar

from pincite_core.errors import WorkLimitError

__all__ = ("Budget", "Turn", "check_budget", "outside_python")

_SLICE_SECONDS = 0.025  # the time of a typical question; longer tasks yield to other threads after each slice

P = ParamSpec("P")
T = TypeVar("T")


class Turn(Protocol):
    """Interface of a mutual exclusion lock that one of several threads holds at a time."""

    def take(self) -> None:
        """Acquire the turn. Waiters are served in FIFO order."""

    def give(self) -> None:
        """Release the turn to the next waiter."""


class _Free:
    """A turn that any number of threads can hold."""

    def take(self) -> None: ...

    def give(self) -> None: ...


class Budget:
    """Limit in seconds on the processor time of one task in the thread that runs the task.

    With 0 seconds or less, the task fails immediately. Threads that the task starts are not counted. `clock` returns
    the processor time of this thread, `wall` the wall time. The task holds `turn` while it runs, and releases it from
    time to time.
    """

    def __init__(
        self,
        seconds: float,
        clock: Callable[[], float] = thread_time,
        wall: Callable[[], float] = perf_counter,
        turn: Turn | None = None,
    ) -> None:
        self._seconds = seconds
        self._clock = clock
        self._wall = wall
        self._turn = turn or _Free()
        self._started = self._begun = self._has_turn_since = 0.0
        self._is_stopped = False
        self.used = 0.0

    def run(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Call `function` and return its result. Afterwards, `used` holds the processor time in seconds.

        Raises:
            WorkLimitError: `check_budget` was called after the time was used up or after `stop`.
        """
        self._take_turn()
        outer = _CURRENT.set(self)
        self._started, self._begun = self._clock(), self._wall()
        try:
            self.check()
            return function(*args, **kwargs)
        finally:
            self.used = self._clock() - self._started
            _CURRENT.reset(outer)
            self._turn.give()

    @contextmanager
    def without_turn(self) -> Iterator[None]:
        """Release the turn while the block runs."""
        self._turn.give()
        try:
            yield
        finally:
            self._take_turn()

    def _take_turn(self) -> None:
        self._turn.take()
        self._has_turn_since = self._wall()

    def stop(self) -> None:
        """Make the next `check` raise an error, since the result is no longer needed. Other threads may call this."""
        self._is_stopped = True

    def check(self) -> None:
        """Check the remaining time, and yield the turn to other threads after each time slice.

        Raises:
            WorkLimitError: The time is used up, or `stop` was called.
        """
        now = self._wall()
        if now - self._has_turn_since > _SLICE_SECONDS:
            self._turn.give()
            self._take_turn()
        if not self._is_stopped and self._seconds > now - self._begun:
            return  # CPU time cannot exceed wall time, and the wall clock is faster to read
        if self._is_stopped or self._clock() - self._started >= self._seconds:
            message = (
                "This takes more work than one request may cause. Ask in fewer words, or about a shorter selection."
            )
            raise WorkLimitError(message)


_CURRENT: ContextVar[Budget | None] = ContextVar("pincite_budget", default=None)


def check_budget() -> None:
    """Call `check` of the current task's budget. Do nothing if the task has no budget."""
    current = _CURRENT.get()
    if current is not None:
        current.check()


@contextmanager
def outside_python() -> Iterator[None]:
    """Release the turn while this thread runs native code or waits."""
    current = _CURRENT.get()
    if current is None:
        yield
        return
    with current.without_turn():
        yield
