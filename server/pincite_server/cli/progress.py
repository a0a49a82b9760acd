"""A progress bar on standard error that appears only when there is something to wait for."""

import time
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import Progress

__all__ = ("DelayedBar",)

_PATIENCE = 1.0  # seconds before a bar is more help than flicker


class DelayedBar:
    """Counts steps; on a terminal, and after a second, shows them. Leaves nothing behind."""

    def __init__(self, console: Console, what: str, total: int) -> None:
        self._bar = Progress(console=console, transient=True, disable=not console.is_terminal)
        self._task = self._bar.add_task(what, total=total)
        self._due = time.monotonic() + _PATIENCE
        self._shown = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._shown:
            self._bar.stop()

    def advance(self) -> None:
        """Count one step."""
        self._bar.advance(self._task)
        if not self._shown and time.monotonic() >= self._due:
            self._bar.start()
            self._shown = True
