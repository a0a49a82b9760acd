"""Answer from a passage with its own sentences, verbatim; the answer is empty if the passage does not hold it.

The main risk is a plausible wrong answer: the passage has the question's subject, and a sentence looks like an answer.
But the question asks about another thing, the opposite, or another kind of thing.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from pincite_core.budget import check_budget
from pincite_core.embedders import Encode
from pincite_core.phrasing import asked_in, phrasing
from pincite_core.quoting.quantities import asks_for_number, holds_number, quantities_of, unsupported_quantities
from pincite_core.rules import SELECTION
from pincite_core.types import UnitKind
from pincite_core.units import split_sentences
from pincite_server.grounding.names import unsupported_names
from pincite_server.grounding.opposites import is_negated, opposed
from pincite_server.grounding.stems import all_stems, asserted_stems, respelled

__all__ = ("PassageAnswer", "answer_from_passage", "expected_answer_type", "has_answer_type", "split_passage")

AnswerType = Literal["person", "date", "number", "thing"]

_CAPITALISED = re.compile(r"(?<=[\w,;:)'\"] )[\"'(]?[A-ZÀ-ÖØ-ÞА-ЯЁ][\w.'-]+")


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
    """Return the sentences of a passage that answer a question. `about` has the headings above it, "" if unknown."""
    units = split_passage(passage, language)
    if not units:
        return PassageAnswer((), 0.0)
    forms = phrasing(asked_in(question, language)).questions.passage  # questions about the passage as a whole
    if any(re.match(rf"\W*(?:{form})", question, re.IGNORECASE) for form in forms):
        return PassageAnswer(tuple(units[: SELECTION.max_sentences]), 1.0)
    texts = [passage[unit.start : unit.end] for unit in units]
    score, fitness = _judge(question, texts, _cosines(question, texts, encode, language), about, language)
    if score < SELECTION.answered_from:
        return PassageAnswer((), score)
    best = [int(row) for row in np.argsort(-fitness, kind="stable")[: SELECTION.max_sentences]]
    chosen = sorted(row for row in best if fitness[row] >= float(fitness.max()) * SELECTION.adds_floor)
    return PassageAnswer(tuple(units[row] for row in chosen), score)


def split_passage(passage: str, language: str = "en") -> list[PassageUnit]:
    """Return the passage's code blocks, and the sentences of all other lines, in order."""
    units: list[PassageUnit] = []
    cursor = 0
    for fence in SELECTION.fence.finditer(passage):
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
    rows = sorted(np.argsort(-np.array(shared), kind="stable")[: SELECTION.most_encoded])
    cosines = np.zeros(len(texts), dtype=np.float32)
    cosines[rows] = encode([texts[row] for row in rows], "passage") @ encode([question], "query")[0]
    return cosines


def _judge(
    question: str, units: Sequence[str], cosines: npt.NDArray[np.float32], about: str, language: str
) -> tuple[float, npt.NDArray[np.float64]]:
    """Return the probability that units of a passage answer a question, and the score of each unit, shape (units,).

    `cosines` are those of the question with each unit. Names from the headings (`about`) may be in the question.
    """
    question_language = asked_in(question, language)
    stems = [frozenset(all_stems(unit, language)) for unit in units]
    in_passage = frozenset().union(*stems)
    subject = phrasing(question_language).questions.words.removed_from(question)  # without question words
    wanted = frozenset(respelled(stem, in_passage) for stem in asserted_stems(subject, language))
    shares = np.array([len(wanted & unit) / len(wanted) if wanted else 0.0 for unit in stems])
    kind = expected_answer_type(question, question_language)
    matches = np.array([has_answer_type(kind, unit, question, language) for unit in units])
    fitness = SELECTION.cosine_share * cosines + SELECTION.word_share * shares + SELECTION.kind_bonus * matches
    best = int(fitness.argmax())
    near = frozenset().union(*stems[max(0, best - 1) : best + 2])
    body = question.strip()
    body = f"… {body[:1].lower()}{body[1:]}"  # the capital letter of the first word marks no name
    signals: dict[str, float] = {
        "distance": 1 - float(cosines.max()),
        "uncovered": 1 - float(shares.max()) if wanted else 0.0,
        "stranger": bool(wanted) and wanted.isdisjoint(in_passage),
        "foreign_name": bool(unsupported_names(body, in_passage | frozenset(all_stems(about, language)), language)),
        "foreign_quantity": bool(unsupported_quantities(question, quantities_of("\n".join(units), language), language)),
        "other_kind": not matches[best],
        "opposite": bool(opposed(wanted, near, language)),
        "negated": is_negated(question, question_language) and not is_negated(units[best], language),
    }
    doubt = sum(weight * signals[name] for name, weight in SELECTION.weights.items())
    return 1 / (1 + math.exp(doubt - SELECTION.confidence)), fitness.astype(np.float64)


def expected_answer_type(question: str, language: str = "en") -> AnswerType:
    """Return the expected answer type of a question; `thing` if it is unknown.

    In docs, "when" asks for a condition as often as for a date, unless the question is about the past.
    """
    patterns = phrasing(language).questions
    if asks_for_number(question, language):
        return "number"
    if patterns.date.found_in(question):
        return "date"
    return "person" if patterns.person.found_in(question) else "thing"


def has_answer_type(kind: AnswerType, text: str, question: str, language: str = "en") -> bool:
    """Whether a text has something of the expected type. A person in the question does not count.

    In a language whose script has no capitals to mark names, any text may name a person.
    """
    patterns = phrasing(language).sentences
    if kind == "number":
        return holds_number(text, language)
    if kind == "date":
        return not patterns.dates or patterns.dates.found_in(text)
    if kind == "person" and patterns.people:
        named = set(all_stems(question, language))
        found = (*_CAPITALISED.findall(text), *patterns.people.words_in(text))
        return any(not named.issuperset(all_stems(person, language)) for person in found)
    return True
