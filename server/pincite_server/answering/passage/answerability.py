"""Decide whether a passage answers a question.

The main risk is a plausible wrong answer: the passage has the question's subject, and a sentence looks like an answer.
But the question asks about another thing, the opposite, or another kind of thing.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pincite_core.phrasing import asked_in
from pincite_core.quoting.quantities import quantities_of, unsupported_quantities
from pincite_core.rules import SELECTION
from pincite_server.answering.passage.asked_for import asked_for, offers, without_question_words
from pincite_server.grounding.names import unsupported_names
from pincite_server.grounding.opposites import is_negated, opposed
from pincite_server.grounding.stems import all_stems, asserted_stems, respelled

__all__ = ("Answerability", "judge_answerability")


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
        doubt = sum(weight * float(getattr(self, name)) for name, weight in SELECTION.weights.items())
        return 1 / (1 + math.exp(doubt - SELECTION.confidence))


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
    spoken = asked_in(question, language)
    stems = [frozenset(all_stems(unit, language)) for unit in units]
    held = frozenset().union(*stems)
    wanted = frozenset(respelled(stem, held) for stem in _told(question, spoken, language))
    shares = np.array([len(wanted & unit) / len(wanted) if wanted else 0.0 for unit in stems])
    kind = asked_for(question, spoken)
    offered = np.array([offers(kind, unit, question, language) for unit in units])
    fitness = SELECTION.cosine_share * cosines + SELECTION.word_share * shares + SELECTION.kind_bonus * offered
    best = int(fitness.argmax())
    near = frozenset().union(*stems[max(0, best - 1) : best + 2])
    signals = Answerability(
        distance=1 - float(cosines.max()),
        uncovered=1 - float(shares.max()) if wanted else 0.0,
        stranger=bool(wanted) and wanted.isdisjoint(held),
        foreign_name=_names_another(question, held | frozenset(all_stems(about, language)), language),
        foreign_quantity=bool(unsupported_quantities(question, quantities_of("\n".join(units), language), language)),
        other_kind=not offered[best],
        opposite=bool(opposed(wanted, near, language)),
        negated=is_negated(question, spoken) and not is_negated(units[best], language),
    )
    return signals, fitness.astype(np.float64)


def _told(question: str, spoken: str, language: str) -> list[str]:
    """Return the stems of a question's subject, stemmed in the passage's language."""
    return asserted_stems(without_question_words(question, spoken), language)


def _names_another(question: str, held: frozenset[str], language: str) -> bool:
    """Whether a question has a name that is not in `held`. The capital letter of the first word does not count."""
    body = question.strip()
    return bool(unsupported_names(f"… {body[:1].lower()}{body[1:]}", held, language))
