"""Grounding verdict: judges each sentence of an answer against a passage; the least supported sentence decides."""

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pincite_core.embedders import Vectors
from pincite_core.wording import say
from pincite_server.grounding.claims import judge_claim
from pincite_server.grounding.evidence import Evidence
from pincite_server.grounding.keyword_overlap import extract_keywords, validate_response_in_context
from pincite_server.grounding.passage_words import PassageWords, sentences_of
from pincite_server.grounding.stems import all_stems
from pincite_server.grounding.support import SUPPORT_WEIGHTS, Support, judge_sentence
from pincite_server.policy import GroundingMode

__all__ = ("Grounding", "Judgement", "is_supported", "judge_support", "unworded_share", "validate_grounding")

# Fitted with the weights of `support`, so that 5 % of the supported answers of BEGIN are rejected.
_CONFIDENCE = 3.0  # log odds of an answer without any doubt
_UNWORDED_WEIGHT = 3.2  # weight of the share of keywords that the passage lacks in the same form
_TURNED = frozenset({"opposite", "exchange"})  # doubts that a paraphrase cannot cause
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")  # scripts in which `\w+` matches a whole clause


@dataclass(frozen=True, slots=True)
class Judgement:
    """Verdict on whether a passage supports an answer; see `Grounding` for the fields."""

    grounded: bool
    score: float
    reasons: tuple[str, ...]
    unsupported: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Grounding(Judgement):
    """The validator's verdict.

    Attributes:
        grounded: Whether the answer may be shown.
        score: Degree of support, 0 to 1; an answer needs at least 0.5.
        reasons: The reasons against the answer, in the reader's language.
        unsupported: The answer's terms, names and numbers that the passage lacks.
        similarity: Cosine of the answer and the passage, or the nearest window of a long passage.
        keyword_overlap: Share of the answer's keywords that the passage contains.
    """

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
    spoken: str = "en",
) -> Grounding:
    """Judge whether a passage supports every sentence of an answer, and measure their similarity.

    Args:
        passage: The reader's selection.
        question: The question; names from the question do not count as invented.
        answer: The answer, without citation markers.
        encode: Encodes texts as unit vectors.
        mode: `default`, or `adr-003` for the rule of selected-text validation.
        language: The language of the reasons.
        spoken: The language of the passage and the answer.
    """
    measured = validate_response_in_context(answer, passage, encode)
    similarity, overlap = measured.similarity, measured.keyword_overlap
    if mode == "adr-003":
        score = min(1.0, max(0.0, similarity, overlap))
        return Grounding(measured.passed, round(score, 4), (), (), similarity, overlap)
    found = judge_support(passage, question, answer, language=language, spoken=spoken)
    return Grounding(found.grounded, found.score, found.reasons, found.unsupported, similarity, overlap)


def is_supported(
    passage: str, question: str, answer: str, encode: Callable[[Sequence[str]], Vectors], mode: GroundingMode
) -> bool:
    """Return whether a passage supports an answer; the mode `default` needs no vectors (see `validate_grounding`)."""
    if mode == "adr-003":
        return validate_response_in_context(answer, passage, encode).passed
    return judge_support(passage, question, answer).grounded


def judge_support(passage: str, question: str, answer: str, *, language: str = "en", spoken: str = "en") -> Judgement:
    """Judge an answer by its words, without vectors: the mode `default` of `validate_grounding`."""
    words = PassageWords.of(passage, spoken)
    asked = frozenset(all_stems(question, spoken))
    sentences = sentences_of(answer, spoken)
    judged = [judge_sentence(sentence, words, asked) for sentence in sentences]
    turned = _is_turned(passage, question, [one for one in sentences if not words.quotes(one)], spoken)
    doubt = max((one.signals.doubt for one in judged), default=0.0) + SUPPORT_WEIGHTS["flipped"] * turned
    if doubt:
        doubt += _UNWORDED_WEIGHT * unworded_share(answer, passage)
    score = round(1 / (1 + math.exp(doubt - _CONFIDENCE)), 4)
    unsupported = tuple(dict.fromkeys(word for one in judged for word in one.missing))
    grounded = doubt <= _CONFIDENCE
    return Judgement(grounded, score, () if grounded else _reasons(judged, unsupported, turned, language), unsupported)


def unworded_share(answer: str, passage: str) -> float:
    """Return the share of an answer's keywords that the passage lacks in the same form."""
    wanted = [word for word in extract_keywords(answer) if not _CJK.search(word)]
    held = set(extract_keywords(passage))
    return sum(word not in held for word in wanted) / len(wanted) if wanted else 0.0


def _is_turned(passage: str, question: str, sentences: Sequence[str], language: str) -> bool:
    """Return whether a sentence states the opposite of the passage, or swaps two of its parts."""
    if not sentences:
        return False
    evidence = Evidence.of("", passage, language)
    verdicts = (judge_claim(sentence, evidence, evidence, question) for sentence in sentences)
    return any(not _TURNED.isdisjoint(verdict.doubts) for verdict in verdicts)


def _reasons(judged: Sequence[Support], unsupported: Sequence[str], turned: bool, language: str) -> tuple[str, ...]:
    named = [say("reason_not_in_selection", language, term=f"*{word}*") for word in unsupported]
    if turned or any(one.signals.flipped for one in judged):
        named.append(say("reason_negation", language))
    return tuple(named) or (say("reason_not_said", language),)
