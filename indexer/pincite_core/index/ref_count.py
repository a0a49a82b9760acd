"""Reference counting: closes a replaced resource after its last user has released it."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ("RefCount",)


class RefCount:
    """Thread-safe reference counter that closes a resource when the resource is retired and has no users.

    Args:
        close: Closes the resource. It is called once.
    """

    def __init__(self, close: Callable[[], object]) -> None:
        self._close = close
        self._lock = threading.Lock()
        self._holders = 0
        self._is_retired = False
        self._is_closed = False

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold a reference while the block runs, so that the resource stays open."""
        with self._lock:
            self._holders += 1
        try:
            yield
        finally:
            with self._lock:
                self._holders -= 1
            self._close_if_unused()

    def retire(self) -> None:
        """Close the resource now, or when its last user releases it. Further calls have no effect."""
        with self._lock:
            self._is_retired = True
        self._close_if_unused()

    def _close_if_unused(self) -> None:
        with self._lock:
            if not self._is_retired or self._holders or self._is_closed:
                return
            self._is_closed = True
        self._close()
