"""What the sidecar counts about itself; never anything about a reader."""

import threading
from collections import Counter

__all__ = ("Counters",)


class Counters:
    """Named whole numbers that only grow; safe to use from every thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._values: Counter[str] = Counter()

    def add(self, name: str, amount: int = 1) -> None:
        """Count `amount` more of `name`; 0 changes nothing."""
        if amount:
            with self._lock:
                self._values[name] += amount

    def snapshot(self) -> dict[str, int]:
        """Return all counts by name."""
        with self._lock:
            return dict(sorted(self._values.items()))
