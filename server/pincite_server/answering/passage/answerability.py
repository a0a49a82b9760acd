"""Whether a passage answers a question, or only stands near it.

The mistake to avoid is the plausible one: the passage is about the question's subject, and a sentence of it looks like
an answer, but the question asks of another thing, the opposite, or another kind of thing.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pincite_core.phrasing import asked_in
from pincite_core.quoting.quantities import quantities_of, unsupported_quantities
from pincite_server.answering.passage.asked_for import asked_for, offers, without_question_words
from pincite_server.grounding.names import unsupported_names
from pincite_server.grounding.opposites import is_negated, opposed
from pincite_server.grounding.stems import all_stems, asserted_stems, respelled

__all__ = ("Answerability", "judge_answerability")

# Chosen on one half of SQuAD's rows (by a hash of their id), so that 5 % of its answerable questions are refused.
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
_COSINE_SHARE, _WORD_SHARE = 0.6, 0.25  # how a unit's nearness to the question weighs against the words they share
_KIND_BONUS = 0.1  # for a unit that has a person, date or number to offer when one is asked for


@dataclass(frozen=True, slots=True)
class Answerability:
    """What speaks against a passage's answering a question.

    Attributes:
        distance: 1 less the cosine of the question and the unit nearest to it.
        uncovered: Share of the question's stems that no unit holds.
        stranger: No stem of the question stands in the passage. Costs nothing in English, and counts where an English
            model finds any two texts of a script alike.
        foreign_name: The question has a name that the passage lacks.
        foreign_quantity: It has a number that the passage lacks, or has with another unit.
        other_kind: It asks for a person, a date or a number, and the best unit has none to offer.
        opposite: It has the opposite of a word of the best unit or its neighbours.
        negated: It asks what is not so, and the best unit says what is.
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
        """How likely the passage answers, 0 to 1; from 0.5 on it is answered."""
        doubt = sum(weight * float(getattr(self, name)) for name, weight in _WEIGHTS.items())
        return 1 / (1 + math.exp(doubt - _CONFIDENCE))


def judge_answerability(
    question: str,
    units: Sequence[str],
    cosines: npt.NDArray[np.float32],
    about: str = "",
    language: str = "en",
) -> tuple[Answerability, npt.NDArray[np.float64]]:
    """Judge whether units of a passage answer a question, and how near each is to it.

    Args:
        question: The question as asked.
        units: The passage's sentences, lines and code blocks; at least one.
        cosines: Of the question with each unit.
        about: The headings above the passage: names that the question takes from there are not foreign.
        language: That of the passage.

    Returns:
        The judgement, and each unit's fitness, shape (units,); the best is the highest.
    """
    spoken = asked_in(question, language)
    stems = [frozenset(all_stems(unit, language)) for unit in units]
    held = frozenset().union(*stems)
    wanted = frozenset(respelled(stem, held) for stem in _told(question, spoken, language))
    shares = np.array([len(wanted & unit) / len(wanted) if wanted else 0.0 for unit in stems])
    kind = asked_for(question, spoken)
    offered = np.array([offers(kind, unit, question, language) for unit in units])
    fitness = _COSINE_SHARE * cosines + _WORD_SHARE * shares + _KIND_BONUS * offered
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
    """Return the stems of what a question says of its subject, as the passage's language has them."""
    return asserted_stems(without_question_words(question, spoken), language)


def _names_another(question: str, held: frozenset[str], language: str) -> bool:
    """Whether a question has a name that is not held; its first word is none, whatever its capital."""
    body = question.strip()
    return bool(unsupported_names(f"… {body[:1].lower()}{body[1:]}", held, language))
