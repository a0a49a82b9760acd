"""When a selection may be answered from; otherwise the whole site is searched, and the reader is told why."""

import time

from pincite_server.model import Notice, Selection
from pincite_server.wording import Key, say

__all__ = ("MAX_AGE", "MIN_LENGTH", "selection_problem")

MIN_LENGTH = 50  # characters; shorter selections lack context (design patterns, pattern 2)
MAX_AGE = 5 * 60  # seconds


def selection_problem(selection: Selection | None, language: str, now: float | None = None) -> Notice | None:
    """Return why a selection cannot be used, or None when it can.

    Args:
        selection: What the reader highlighted.
        language: The notice's language.
        now: Seconds since the epoch; the clock's when None.
    """
    key = _problem(selection, time.time() if now is None else now)
    return Notice(key, say(key, language)) if key else None


def _problem(selection: Selection | None, now: float) -> Key | None:
    if selection is None or not selection.text.strip():
        return "selection_missing"
    if len(selection.text.strip()) < MIN_LENGTH:
        return "selection_too_short"
    if selection.captured_at is not None and now - selection.captured_at > MAX_AGE:
        return "selection_stale"
    return None
