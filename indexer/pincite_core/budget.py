"""How much processor time a piece of work may take: long loops ask, and are ended when it is spent.

Processor time of the thread, not time on the wall: what a question costs does not change with how busy the machine is.
Of several threads one has the turn: Python runs no more than one at a time, and loses much in changing between them.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from time import perf_counter, thread_time
from typing import ParamSpec, Protocol, TypeVar

from pincite_core.errors import WorkLimitError

__all__ = ("Budget", "Turn", "check_budget", "outside_python")

_SLICE_SECONDS = 0.025  # a usual question takes that long: only what takes longer lets others in between

P = ParamSpec("P")
T = TypeVar("T")


class Turn(Protocol):
    """What one of several threads has at a time."""

    def take(self) -> None:
        """Wait for it, behind all who wait already."""

    def give(self) -> None:
        """Let the next one have it."""


class _Free:
    """A turn that everybody has."""

    def take(self) -> None: ...

    def give(self) -> None: ...


class Budget:
    """The seconds of processor time that one piece of work may take on the thread that runs it.

    Threads that the work itself starts are not counted.

    Args:
        seconds: How many; none are left at 0 or less.
        clock: Seconds of this thread's processor time.
        wall: Seconds on the wall.
        turn: What the work needs to run, and gives away from time to time.
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
        """Return what `function` returns; `used` says afterwards what it took.

        Raises:
            WorkLimitError: It asked by `check_budget` when the time was spent, or after `stop`.
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
        """Let others have the turn as long as the block runs."""
        self._turn.give()
        try:
            yield
        finally:
            self._take_turn()

    def _take_turn(self) -> None:
        self._turn.take()
        self._has_turn_since = self._wall()

    def stop(self) -> None:
        """Let the work end where it next asks: nobody waits for it any more. May be called from another thread."""
        self._is_stopped = True

    def check(self) -> None:
        """Do nothing as long as there is time left.

        Raises:
            WorkLimitError: There is none.
        """
        now = self._wall()
        if now - self._has_turn_since > _SLICE_SECONDS:
            self._turn.give()
            self._take_turn()
        if not self._is_stopped and self._seconds > now - self._begun:
            return  # no thread uses more of the processor than has passed on the wall, which is quick to ask for
        if self._is_stopped or self._clock() - self._started >= self._seconds:
            message = (
                "This takes more work than one request may cause. Ask in fewer words, or about a shorter selection."
            )
            raise WorkLimitError(message)


_CURRENT: ContextVar[Budget | None] = ContextVar("pincite_budget", default=None)


def check_budget() -> None:
    """End the work that runs here when its budget is spent; do nothing where there is none.

    Raises:
        WorkLimitError: It is spent.
    """
    current = _CURRENT.get()
    if current is not None:
        current.check()


@contextmanager
def outside_python() -> Iterator[None]:
    """Let another thread have the turn while this one runs no Python, or waits."""
    current = _CURRENT.get()
    if current is None:
        yield
        return
    with current.without_turn():
        yield
