"""ADR-003 (selected-text validation): cosine at least 0.7, or keyword overlap at least 0.5.

Kept as a named alternative so that the default can be measured against it. The stop words are a bundled list of
English function words; the ADR's own came from a download.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pincite_core.embedders import Vectors

__all__ = ("SIMILARITY_THRESHOLD", "Adr003Verdict", "extract_keywords", "validate_response_in_context")

SIMILARITY_THRESHOLD = 0.7
KEYWORD_OVERLAP_THRESHOLD = 0.5

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
    first, second = encode([response, selected_text])
    similarity = float(first @ second)
    wanted = set(extract_keywords(response))
    if not wanted:
        return Adr003Verdict(True, similarity, 1.0)
    overlap = len(wanted & set(extract_keywords(selected_text))) / len(wanted)
    passed = similarity >= SIMILARITY_THRESHOLD or overlap >= KEYWORD_OVERLAP_THRESHOLD
    return Adr003Verdict(passed, similarity, overlap)


def extract_keywords(text: str) -> list[str]:
    """Return the words of more than three characters that are no stop words, in lower case, without end punctuation."""
    words = (word for word in text.lower().split() if word not in _STOP_WORDS and len(word) > 3)
    return [word.strip(".,!?;:") for word in words]
