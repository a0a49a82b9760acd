"""Whether an answer is grounded in a passage: sentence by sentence, with its reasons in words."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from pincite_core.embedders import Vectors
from pincite_core.tokens import content_terms, terms
from pincite_core.units import split_sentences
from pincite_server.guards.numbers import numbers_of
from pincite_server.policy import GroundingMode
from pincite_server.selection.adr003 import extract_keywords, validate_response_in_context
from pincite_server.wording import say

__all__ = ("Grounding", "validate_grounding")

# A sentence is grounded when the terms that the passage does not hold are few and none of them is a name or number.
_MAX_UNSUPPORTED = 0.25
_NAME = re.compile(r"(?<![.!?]\s)(?<!^)\b[A-Z][\w.+#-]*[\w+#]")
_NEGATION = re.compile(r"\b(?:not|no|never|cannot|without|neither|nor|\w+n['’]t)\b", re.IGNORECASE)
_CLOSE = 0.6  # cosine from which a sentence and a passage's sentence are about the same fact


@dataclass(frozen=True, slots=True)
class Grounding:
    """The validator's verdict.

    Attributes:
        grounded: Whether the answer may be shown.
        score: 0 to 1; higher is better supported.
        reasons: Why not, in the reader's language.
        unsupported: The answer's terms, names and numbers that the passage does not hold.
        similarity: Cosine of answer and passage.
        keyword_overlap: Share of the answer's keywords that the passage holds.
    """

    grounded: bool
    score: float
    reasons: tuple[str, ...]
    unsupported: tuple[str, ...]
    similarity: float
    keyword_overlap: float


def validate_grounding(
    passage: str,
    question: str,
    answer: str,
    encode: Callable[[Sequence[str]], Vectors],
    *,
    mode: GroundingMode = "default",
    language: str = "en",
) -> Grounding:
    """Judge whether every sentence of an answer is supported by a passage.

    Args:
        passage: The reader's selection.
        question: The question; words that it brings in itself need no support.
        answer: The answer, without citation markers.
        encode: Turns texts into unit vectors.
        mode: `default`, or `adr-003` for the rule of selected-text validation.
        language: The language of the reasons.
    """
    simple = validate_response_in_context(answer, passage, encode)
    similarity, overlap = simple.similarity, _keyword_overlap(answer, passage)
    if mode == "adr-003":
        score = max(similarity, overlap)
        return Grounding(simple.passed, _bounded(score), (), (), similarity, overlap)
    unsupported, share = _unsupported(passage, question, answer)
    flipped = _negations_flipped(passage, answer, encode)
    reasons = [say("reason_not_in_selection", language, term=f"*{term}*") for term in unsupported]
    if flipped:
        reasons.append(say("reason_negation", language))
    score = _bounded((1 - share) * (0.5 if flipped else 1.0))
    grounded = share <= _MAX_UNSUPPORTED and not flipped and not any(_is_hard(term) for term in unsupported)
    return Grounding(grounded, score, () if grounded else tuple(reasons), tuple(unsupported), similarity, overlap)


def _keyword_overlap(answer: str, passage: str) -> float:
    wanted = set(extract_keywords(answer))
    return len(wanted & set(extract_keywords(passage))) / len(wanted) if wanted else 1.0


def _unsupported(passage: str, question: str, answer: str) -> tuple[list[str], float]:
    """Return the answer's words without support, and the largest share of them in any one sentence."""
    held = set(terms(passage)) | set(terms(question))
    known_numbers = numbers_of(passage) | numbers_of(question)
    missing: dict[str, None] = {}
    worst = 0.0
    for start, end in split_sentences(answer):
        sentence = answer[start:end]
        wanted = set(content_terms(sentence))
        lost = wanted - held
        worst = max(worst, len(lost) / len(wanted) if wanted else 0.0)
        missing.update(dict.fromkeys(word for word in re.findall(r"[\w.+#-]*\w", sentence) if set(terms(word)) & lost))
        missing.update(dict.fromkeys(sorted(numbers_of(sentence) - known_numbers)))
    return list(missing), worst


def _is_hard(word: str) -> bool:
    """Whether a word without support is a number or a name, which no paraphrase explains."""
    return word[0].isdigit() or bool(_NAME.search(f"x {word}"))


def _negations_flipped(passage: str, answer: str, encode: Callable[[Sequence[str]], Vectors]) -> bool:
    """Whether a sentence of the answer differs from the passage's nearest sentence by a negation."""
    ours = [answer[start:end] for start, end in split_sentences(answer)]
    theirs = [passage[start:end] for start, end in split_sentences(passage)]
    if not ours or not theirs:
        return False
    vectors = encode([*ours, *theirs])
    cosines = vectors[: len(ours)] @ vectors[len(ours) :].T
    nearest = np.argmax(cosines, axis=1)
    return any(
        cosines[row, column] >= _CLOSE and bool(_NEGATION.search(ours[row])) != bool(_NEGATION.search(theirs[column]))
        for row, column in enumerate(nearest)
    )


def _bounded(score: float) -> float:
    return round(float(min(1.0, max(0.0, score))), 4)
