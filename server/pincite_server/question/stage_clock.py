"""Times the stages of one question."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from pincite_core.budget import check_budget

__all__ = ("StageClock",)


class StageClock:
    """Times the stages of one question."""

    def __init__(self) -> None:
        self._started = time.perf_counter()
        self._stages: dict[str, float] = {}

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Time a stage; an exception gets a note with the stage's name.

        Raises:
            WorkLimitError: The question has already used up its processor time.
        """
        check_budget()
        started = time.perf_counter()
        try:
            yield
        except Exception as error:
            error.add_note(f"in the stage `{name}`")
            raise
        finally:
            self._stages[name] = self._stages.get(name, 0.0) + _milliseconds_since(started)

    def timings(self) -> dict[str, float]:
        """Return the milliseconds of each stage, and the `total` since the clock was created."""
        rounded = {name: round(value, 3) for name, value in self._stages.items()}
        return {**rounded, "total": round(_milliseconds_since(self._started), 3)}


def _milliseconds_since(started: float) -> float:
    return (time.perf_counter() - started) * 1000
