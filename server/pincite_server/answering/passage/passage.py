"""An extractive answer from a passage: its own sentences, verbatim, or nothing when it does not hold the answer."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pincite_core.budget import check_budget
from pincite_core.embedders import Encode
from pincite_core.types import UnitKind
from pincite_core.units import split_sentences
from pincite_server.answering.passage.answerability import judge_answerability
from pincite_server.grounding.stems import all_stems, asserted_stems

__all__ = ("PassageAnswer", "PassageUnit", "answer_from_passage", "split_passage")

MAX_SENTENCES = 3
_NAMES_THE_PASSAGE = (
    r"(?:text|passage|selection|paragraph|section|sentence|snippet|code|function|example|command|table)"
)
_ABOUT_THE_PASSAGE = re.compile(
    r"^\W*(?:please )?"
    r"(?:what(?:['’]s| is| are| does| do)|explain|summari[sz]e|describe|tell me about|how does|why is)\s+"
    rf"(?:(?:this|these|that|it)(?: {_NAMES_THE_PASSAGE})?|the (?:above )?{_NAMES_THE_PASSAGE}|the above)"
    r"(?: (?:mean|means|about|do|say|work|for|used for|all about|here|saying|doing))*\W*$"
    r"|^\W*(?:这|這)(?:段|个|個|是)?.{0,6}(?:什么|什麼|意思)|^.{0,6}(?:đoạn|cái) này .{0,12}(?:gì|nghĩa)"
    r"|^\W*was (?:bedeutet|ist|macht) (?:das|dies)\W*$|^\W*que (?:signifie|veut dire) (?:ceci|cela|ce texte)\W*$"
    r"|^\W*¿?qué (?:es|significa) (?:esto|este texto)\W*$|^これは(?:何|どういう)",
    re.IGNORECASE,
)
"""Questions that name no subject of their own: whatever the passage says answers them."""
_FENCE = re.compile(r"```[^\n]*\n.*?(?:\n```|$)", re.DOTALL)
_ANSWERED_FROM = 0.5  # the least score of an answer
_ADDS_FLOOR = 0.75  # a further sentence must fit nearly as well as the first
_MOST_ENCODED = 24  # units of a long passage whose vectors are made: those that share most words with the question


@dataclass(frozen=True, slots=True)
class PassageUnit:
    """A sentence, line or code block of the passage: characters `start` to `end`."""

    start: int
    end: int
    kind: UnitKind


@dataclass(frozen=True, slots=True)
class PassageAnswer:
    """Verbatim units in reading order; empty when the passage does not answer. `score` is 0 to 1."""

    units: tuple[PassageUnit, ...]
    score: float


def answer_from_passage(
    passage: str,
    question: str,
    encode: Encode,
    language: str = "en",
    about: str = "",
) -> PassageAnswer:
    """Return the sentences of a passage that answer a question.

    Args:
        passage: The reader's selection.
        question: The question as asked.
        encode: Turns texts into unit vectors.
        language: The passage's language, for sentence boundaries.
        about: The headings above the passage, when its place is known.
    """
    units = split_passage(passage, language)
    if not units:
        return PassageAnswer((), 0.0)
    if _ABOUT_THE_PASSAGE.match(question):
        return PassageAnswer(tuple(units[:MAX_SENTENCES]), 1.0)
    texts = [passage[unit.start : unit.end] for unit in units]
    judged, fitness = judge_answerability(question, texts, _cosines(question, texts, encode), about)
    if judged.score < _ANSWERED_FROM:
        return PassageAnswer((), judged.score)
    ranked = [int(row) for row in np.argsort(-fitness, kind="stable")[:MAX_SENTENCES]]
    kept = sorted(row for row in ranked if fitness[row] >= float(fitness.max()) * _ADDS_FLOOR)
    return PassageAnswer(tuple(units[row] for row in kept), judged.score)


def split_passage(passage: str, language: str = "en") -> list[PassageUnit]:
    """Return the passage's code blocks, and the sentences of every other line, in order."""
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


def _cosines(question: str, texts: Sequence[str], encode: Encode) -> npt.NDArray[np.float32]:
    """Return the cosine of the question with each text, 0 for those that are not worth encoding."""
    wanted = set(asserted_stems(question))
    shared = [len(wanted.intersection(all_stems(text))) for text in texts]
    rows = sorted(np.argsort(-np.array(shared), kind="stable")[:_MOST_ENCODED])
    cosines = np.zeros(len(texts), dtype=np.float32)
    cosines[rows] = encode([texts[row] for row in rows], "passage") @ encode([question], "query")[0]
    return cosines
