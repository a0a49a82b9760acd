"""Report progress on standard error: a bar on a terminal, one line for each phase elsewhere."""

from types import TracebackType
from typing import Protocol, Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as RichProgress

__all__ = ("ConsoleProgress", "Progress")


class Progress(Protocol):
    """Interface of a progress display; `start` begins a phase with a number of steps."""

    def start(self, phase: str, total: int) -> None:
        """Start a phase of `total` steps."""
        ...

    def advance(self, steps: int = 1) -> None:
        """Count steps of the phase."""
        ...


class ConsoleProgress:
    """Progress display for one phase at a time; the context manager clears the terminal after a failed build."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._bar = RichProgress(
            SpinnerColumn(),
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()

    def start(self, phase: str, total: int) -> None:
        """Start a phase of `total` steps; 0 means that the number is unknown."""
        for task in self._bar.task_ids:
            self._bar.remove_task(task)
        self._bar.add_task(phase, total=total or None)
        if not self._console.is_terminal:
            self._console.print(f"{phase} ({total:,})" if total else phase)

    def advance(self, steps: int = 1) -> None:
        """Count steps of the phase."""
        if self._bar.task_ids:
            self._bar.advance(self._bar.task_ids[-1], steps)
