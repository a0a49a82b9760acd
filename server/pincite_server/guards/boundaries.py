"""Capability boundaries: detects requests to write code, to perform actions, or for real-time information.

"How do I create a plugin?" and "deploy my site" are questions for the docs. "Write me a plugin" and "deploy my site for
me" are requests beyond the boundaries. The patterns of all languages apply to every question.
"""

import re
from collections.abc import Sequence
from functools import cache
from typing import Literal

from pincite_core.phrasing import tables
from pincite_core.phrasing.table import Request
from pincite_core.quoting.prompt_injection import dismisses_instructions
from pincite_core.search.terms import terms

__all__ = ("Boundary", "crossed_boundary")

Boundary = Literal["code", "act", "realtime", "blocked_topic"]


def crossed_boundary(query: str, blocked_topics: Sequence[str] = ()) -> Boundary | None:
    """Return the boundary that a question crosses, if any; a blocked topic may have several words."""
    stripped = query.strip()
    if _requests("code").search(stripped):
        return "code"
    if dismisses_instructions(query) or _requests("act").search(stripped):
        return "act"
    if _requests("realtime").search(stripped):
        return "realtime"
    padded = f" {' '.join(terms(query))} "
    blocked = (f" {' '.join(terms(topic))} " for topic in blocked_topics)
    return "blocked_topic" if any(topic.strip() and topic in padded for topic in blocked) else None


@cache
def _requests(kind: Request) -> re.Pattern[str]:
    """Return the pattern of one kind of request in all languages."""
    patterns = (pattern for table in tables() for pattern in table.boundaries.patterns(kind))
    return re.compile("|".join(patterns), re.IGNORECASE)
