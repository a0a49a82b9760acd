"""Decide whether a passage answers a question.

The main risk is a plausible wrong answer: the passage has the question's subject, and a sentence looks like an answer.
But the question asks about another thing, the opposite, or another kind of thing.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from pincite_core.phrasing import asked_in, phrasing
from pincite_core.quoting.quantities import asks_for_number, holds_number, quantities_of, unsupported_quantities
from pincite_server.grounding.names import unsupported_names
from pincite_server.grounding.opposites import is_negated, opposed
from pincite_server.grounding.stems import all_stems, asserted_stems, respelled

__all__ = ("AnswerType", "Answerability", "expected_answer_type", "has_answer_type", "judge_answerability")

AnswerType = Literal["person", "date", "number", "thing"]

_CAPITALISED = re.compile(r"(?<=[\w,;:)'\"] )[\"'(]?[A-ZÀ-ÖØ-ÞА-ЯЁ][\w.'-]+")

# Fitted on one half of SQuAD's rows (split by a hash of the id): 5 % of the answerable questions are refused.
_CONFIDENCE = 2.4
_WEIGHTS: Mapping[str, float] = {
    "distance": 3.0,
    "uncovered": 0.5,
    "stranger": 1.5,
    "foreign_name": 1.0,
    "foreign_quantity": 2.0,
    "other_kind": 2.0,
    "opposite": 2.0,
    "negated": 3.0,
}
_COSINE_SHARE, _WORD_SHARE = 0.6, 0.25  # weights of a unit's cosine and of its share of the question's words
_KIND_BONUS = 0.1  # for a unit with a person, date or number, if the question asks for one


@dataclass(frozen=True, slots=True)
class Answerability:
    """The signals against an answer.

    Attributes:
        distance: 1 minus the highest cosine of the question and a unit.
        uncovered: The share of the question's stems that the best unit lacks.
        stranger: Whether the passage has none of the question's stems. This costs nothing in English. It matters where
            an English model finds any two texts of a script similar.
        foreign_name: Whether the question has a name that the passage lacks.
        foreign_quantity: Whether the question has a number that the passage lacks, or has with another unit of measure.
        other_kind: Whether the question asks for a person, a date or a number, and the best unit has none.
        opposite: Whether the question has the opposite of a word in the best unit or its neighbours.
        negated: Whether the question is negated, and the best unit is not.
    """

    distance: float
    uncovered: float
    stranger: bool
    foreign_name: bool
    foreign_quantity: bool
    other_kind: bool
    opposite: bool
    negated: bool

    @property
    def score(self) -> float:
        """The probability that the passage answers the question, 0 to 1; an answer needs 0.5."""
        doubt = sum(weight * float(getattr(self, name)) for name, weight in _WEIGHTS.items())
        return 1 / (1 + math.exp(doubt - _CONFIDENCE))


def judge_answerability(
    question: str,
    units: Sequence[str],
    cosines: npt.NDArray[np.float32],
    about: str = "",
    language: str = "en",
) -> tuple[Answerability, npt.NDArray[np.float64]]:
    """Judge whether units of a passage answer a question, and score each unit.

    Args:
        question: The question as asked.
        units: The passage's sentences, lines and code blocks; at least one.
        cosines: The cosine of the question with each unit, shape (units,).
        about: The headings above the passage. Names from these headings may be in the question.
        language: The passage's language.

    Returns:
        The judgement, and the score of each unit, shape (units,).
    """
    question_language = asked_in(question, language)
    stems = [frozenset(all_stems(unit, language)) for unit in units]
    in_passage = frozenset().union(*stems)
    subject = phrasing(question_language).questions.words.removed_from(question)  # without question words
    wanted = frozenset(respelled(stem, in_passage) for stem in asserted_stems(subject, language))
    shares = np.array([len(wanted & unit) / len(wanted) if wanted else 0.0 for unit in stems])
    kind = expected_answer_type(question, question_language)
    matches = np.array([has_answer_type(kind, unit, question, language) for unit in units])
    fitness = _COSINE_SHARE * cosines + _WORD_SHARE * shares + _KIND_BONUS * matches
    best = int(fitness.argmax())
    near = frozenset().union(*stems[max(0, best - 1) : best + 2])
    body = question.strip()
    body = f"… {body[:1].lower()}{body[1:]}"  # the capital letter of the first word marks no name
    signals = Answerability(
        distance=1 - float(cosines.max()),
        uncovered=1 - float(shares.max()) if wanted else 0.0,
        stranger=bool(wanted) and wanted.isdisjoint(in_passage),
        foreign_name=bool(unsupported_names(body, in_passage | frozenset(all_stems(about, language)), language)),
        foreign_quantity=bool(unsupported_quantities(question, quantities_of("\n".join(units), language), language)),
        other_kind=not matches[best],
        opposite=bool(opposed(wanted, near, language)),
        negated=is_negated(question, question_language) and not is_negated(units[best], language),
    )
    return signals, fitness.astype(np.float64)


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
