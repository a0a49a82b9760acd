"""The validator `adr-003` of selected-text answers: cosine at least 0.7, or keyword overlap at least 0.5 (SELECT-8).

It is an alternative to the default validator, to measure the default against. Names inside code are keywords
(`factorial(n)` contains *factorial*), and each repetition of a keyword counts.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pincite_core.embedders import Vectors
from pincite_core.units import estimate_tokens, split_sentences
from pincite_server.grounding.stems import asserted_stems

__all__ = ("Adr003Verdict", "extract_keywords", "keyword_overlap", "validate_response_in_context", "windows_of")

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
    """Result of the `adr-003` rule: whether either of the two values reaches its threshold, and both values."""

    passed: bool
    similarity: float
    keyword_overlap: float


def validate_response_in_context(
    response: str, selected_text: str, encode: Callable[[Sequence[str]], Vectors]
) -> Adr003Verdict:
    """Judge a response by the `adr-003` rule; a response without keywords passes.

    Of a long selection, only the window that shares most words with the response is encoded. A full window takes 40 ms
    of processor time, and validation may take 100 ms.
    """
    wanted = set(asserted_stems(response))
    window = max(windows_of(selected_text), key=lambda window: len(wanted.intersection(asserted_stems(window))))
    first, second = encode([response, window])
    similarity = float(first @ second)
    overlap = keyword_overlap(response, selected_text)
    passed = similarity >= SIMILARITY_THRESHOLD or overlap >= KEYWORD_OVERLAP_THRESHOLD
    return Adr003Verdict(passed, similarity, overlap)


def keyword_overlap(response: str, selected_text: str) -> float:
    """Return the share of a response's keywords that the selection contains; 1 if the response has no keywords."""
    wanted = extract_keywords(response)
    held = set(extract_keywords(selected_text))
    return sum(word in held for word in wanted) / len(wanted) if wanted else 1.0


def extract_keywords(text: str) -> list[str]:
    """Return the words and names with more than three characters, without stop words, in lower case, with repeats."""
    return [word for word in _WORD.findall(text.lower()) if word not in _STOP_WORDS and len(word) > 3]


WINDOW_TOKENS = 256  # maximum input length of the default model, which truncates longer texts


def windows_of(passage: str, limit: int = WINDOW_TOKENS) -> list[str]:
    """Split a passage into windows of whole sentences with at most `limit` estimated tokens each.

    A sentence longer than the limit is a window of its own.
    """
    if estimate_tokens(passage) <= limit:
        return [passage]
    starts, used = [0], 0
    for start, end in split_sentences(passage):
        tokens = estimate_tokens(passage[start:end])
        if used and used + tokens > limit:
            starts.append(start)
            used = 0
        used += tokens
    return [passage[start:end] for start, end in zip(starts, [*starts[1:], len(passage)], strict=True)]
