"""When something that another has taken the place of may be closed: not before those who hold it have let go."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ("RefCount",)


class RefCount:
    """Counts who holds something, and closes it when it is retired and nobody holds it. Safe between threads.

    Args:
        close: Closes it; called once.
    """

    def __init__(self, close: Callable[[], object]) -> None:
        self._close = close
        self._lock = threading.Lock()
        self._holders = 0
        self._is_retired = False
        self._is_closed = False

    @contextmanager
    def held(self) -> Iterator[None]:
        """Put closing off as long as the block runs."""
        with self._lock:
            self._holders += 1
        try:
            yield
        finally:
            with self._lock:
                self._holders -= 1
            self._close_if_unused()

    def retire(self) -> None:
        """Close it now, or as soon as nobody holds it; doing so again changes nothing."""
        with self._lock:
            self._is_retired = True
        self._close_if_unused()

    def _close_if_unused(self) -> None:
        with self._lock:
            if not self._is_retired or self._holders or self._is_closed:
                return
            self._is_closed = True
        self._close()
