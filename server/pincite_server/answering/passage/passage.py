"""Answer from a passage with its own sentences, verbatim; the answer is empty if the passage does not hold it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pincite_core.budget import check_budget
from pincite_core.embedders import Encode
from pincite_core.phrasing import asked_in, phrasing
from pincite_core.types import UnitKind
from pincite_core.units import split_sentences
from pincite_server.answering.passage.answerability import judge_answerability
from pincite_server.grounding.stems import all_stems, asserted_stems

__all__ = ("PassageAnswer", "PassageUnit", "answer_from_passage", "split_passage")

MAX_SENTENCES = 3
_FENCE = re.compile(r"```[^\n]*\n.*?(?:\n```|$)", re.DOTALL)
_LEAST_SCORE = 0.5  # the least score of an answer
_LEAST_SHARE = 0.75  # least score of a further sentence, as a share of the best one's
_MOST_ENCODED = 24  # units of a long passage that are encoded: those that share most words with the question


@dataclass(frozen=True, slots=True)
class PassageUnit:
    """A sentence, line or code block of the passage, from character `start` to `end`."""

    start: int
    end: int
    kind: UnitKind


@dataclass(frozen=True, slots=True)
class PassageAnswer:
    """The verbatim units of an answer in reading order; empty if the passage does not answer. `score` is 0 to 1."""

    units: tuple[PassageUnit, ...]
    score: float


def answer_from_passage(
    passage: str, question: str, encode: Encode, language: str = "en", about: str = ""
) -> PassageAnswer:
    """Return the sentences of a passage that answer a question.

    Args:
        passage: The reader's selection.
        question: The question as asked.
        encode: Encodes texts as unit vectors.
        language: The passage's language, a BCP 47 tag.
        about: The headings above the passage; "" if its position is unknown.
    """
    units = split_passage(passage, language)
    if not units:
        return PassageAnswer((), 0.0)
    forms = phrasing(asked_in(question, language)).questions.passage  # questions about the passage as a whole
    if any(re.match(rf"\W*(?:{form})", question, re.IGNORECASE) for form in forms):
        return PassageAnswer(tuple(units[:MAX_SENTENCES]), 1.0)
    texts = [passage[unit.start : unit.end] for unit in units]
    judged, fitness = judge_answerability(question, texts, _cosines(question, texts, encode, language), about, language)
    if judged.score < _LEAST_SCORE:
        return PassageAnswer((), judged.score)
    best = [int(row) for row in np.argsort(-fitness, kind="stable")[:MAX_SENTENCES]]
    chosen = sorted(row for row in best if fitness[row] >= float(fitness.max()) * _LEAST_SHARE)
    return PassageAnswer(tuple(units[row] for row in chosen), judged.score)


def split_passage(passage: str, language: str = "en") -> list[PassageUnit]:
    """Return the passage's code blocks, and the sentences of all other lines, in order."""
    units: list[PassageUnit] = []
    cursor = 0
    for fence in _FENCE.finditer(passage):
        units.extend(_line_units(passage, cursor, fence.start(), language))
        units.append(PassageUnit(fence.start(), fence.end(), "code"))
        cursor = fence.end()
    units.extend(_line_units(passage, cursor, len(passage), language))
    return units


def _line_units(passage: str, start: int, end: int, language: str) -> list[PassageUnit]:
    units: list[PassageUnit] = []
    for line in re.finditer(r"[^\n]+", passage[start:end]):
        check_budget()
        offset = start + line.start()
        spans = split_sentences(line.group(), language)
        units.extend(PassageUnit(offset + left, offset + right, "prose") for left, right in spans)
    return units


def _cosines(question: str, texts: Sequence[str], encode: Encode, language: str) -> npt.NDArray[np.float32]:
    """Return the cosine of the question with each text; 0 for texts that share too few words to be encoded."""
    wanted = set(asserted_stems(question, language))
    shared = [len(wanted.intersection(all_stems(text, language))) for text in texts]
    rows = sorted(np.argsort(-np.array(shared), kind="stable")[:_MOST_ENCODED])
    cosines = np.zeros(len(texts), dtype=np.float32)
    cosines[rows] = encode([texts[row] for row in rows], "passage") @ encode([question], "query")[0]
    return cosines
