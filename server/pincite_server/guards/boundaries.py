"""What a docs assistant must not pretend to: write or do things for the reader, or know what is happening right now.

Only requests to act are caught. "How do I create a plugin?" and "deploy my site" are what docs are for; "write me a
plugin" and "deploy my site for me" are not. A boundary holds in whatever language it is crossed: all tables are tried.
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
    """Return the boundary that a question crosses, if any.

    Args:
        query: The question as asked.
        blocked_topics: The operator's words for what the site is not about; each may be several words.
    """
    said = query.strip()
    if _requests("code").search(said):
        return "code"
    if dismisses_instructions(query) or _requests("act").search(said):
        return "act"
    if _requests("realtime").search(said):
        return "realtime"
    asked = f" {' '.join(terms(query))} "
    blocked = (f" {' '.join(terms(topic))} " for topic in blocked_topics)
    return "blocked_topic" if any(topic.strip() and topic in asked for topic in blocked) else None


@cache
def _requests(kind: Request) -> re.Pattern[str]:
    """Return what finds a request of a kind in any language."""
    patterns = (pattern for table in tables() for pattern in table.boundaries.patterns(kind))
    return re.compile("|".join(patterns), re.IGNORECASE)
