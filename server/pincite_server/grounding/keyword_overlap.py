"""ADR-003 (selected-text validation): cosine at least 0.7, or keyword overlap at least 0.5.

Kept as a named alternative so that the default can be measured against it. The stop words are a bundled list of
English function words; the ADR's own came from a download. Two things are read as its tests and edge cases demand
rather than as its sketch has them: names inside code are keywords (`factorial(n)` holds *factorial*), and a keyword
counts as often as the response says it.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pincite_core.embedders import Vectors
from pincite_server.grounding.windows import similarity_to

__all__ = ("Adr003Verdict", "extract_keywords", "keyword_overlap", "validate_response_in_context")

SIMILARITY_THRESHOLD = 0.7
KEYWORD_OVERLAP_THRESHOLD = 0.5

_WORD = re.compile(r"\w+(?:-\w+)*")
_STOP_WORDS = frozenset(
    "a about above after again against all am an and any are as at be because been before being below between both "
    "but by can did do does doing don down during each few for from further had has have having he her here hers "
    "herself him himself his how i if in into is it its itself just me more most my myself no nor not now of off on "
    "once only or other our ours ourselves out over own same she should so some such than that the their theirs them "
    "themselves then there these they this those through to too under until up very was we were what when where "
    "which while who whom why will with you your yours yourself yourselves".split()
)


@dataclass(frozen=True, slots=True)
class Adr003Verdict:
    """`similarity` is the cosine of response and selection, `keyword_overlap` the share of keywords they share."""

    passed: bool
    similarity: float
    keyword_overlap: float


def validate_response_in_context(
    response: str, selected_text: str, encode: Callable[[Sequence[str]], Vectors]
) -> Adr003Verdict:
    """Judge a response by the ADR's rule; one without keywords passes."""
    similarity = similarity_to(selected_text, response, encode)
    overlap = keyword_overlap(response, selected_text)
    passed = similarity >= SIMILARITY_THRESHOLD or overlap >= KEYWORD_OVERLAP_THRESHOLD
    return Adr003Verdict(passed, similarity, overlap)


def keyword_overlap(response: str, selected_text: str) -> float:
    """Return the share of a response's keywords that the selection holds; 1 for a response without any."""
    wanted = extract_keywords(response)
    held = set(extract_keywords(selected_text))
    return sum(word in held for word in wanted) / len(wanted) if wanted else 1.0


def extract_keywords(text: str) -> list[str]:
    """Return the words and names of more than three characters that are no stop words, in lower case, with repeats."""
    return [word for word in _WORD.findall(text.lower()) if word not in _STOP_WORDS and len(word) > 3]
