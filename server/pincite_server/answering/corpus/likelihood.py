"""How likely what is quoted answers the question: a calibrated probability, fitted on answers that readers graded.

Evidence tells whether the docs hold an answer at all; this tells whether the words on the screen are it.
"""

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from pincite_core.index.read import Index
from pincite_core.search.evidence import Calibration, evidence_logit
from pincite_core.search.ranking import SearchResult
from pincite_core.search.terms import terms
from pincite_server.answering.corpus.compose import Passage

__all__ = ("AnswerSignals", "answer_likelihood", "answer_signals")


@dataclass(frozen=True, slots=True)
class AnswerSignals:
    """What speaks for an answer.

    Attributes:
        evidence: Log odds that the docs hold the answer.
        standing_out: How far the nearest chunk stands out among the candidates, in their standard deviations.
        margin: How much better the best section fits than the last one found, 0 to 1.
        shown: Share of the question's terms, by rarity, that the passages or their headings hold.
        code: Whether code is shown, 0 or 1.
    """

    evidence: float
    standing_out: float
    margin: float
    shown: float
    code: float


# A logistic, L2-regularised, over 201 answers about six sites that blind readers graded (useful or not) and 58 answers
# to questions that these sites' docs do not hold, which are none (decision 017).
_WEIGHTS = AnswerSignals(evidence=0.25, standing_out=0.63, margin=1.36, shown=1.66, code=0.37)
_BIAS = -3.79


def answer_likelihood(signals: AnswerSignals) -> float:
    """Return the probability, 0 to 1, that a reader finds what is quoted of use."""
    weights = asdict(_WEIGHTS)
    total = _BIAS + sum(weights[name] * value for name, value in asdict(signals).items())
    return 1.0 / (1.0 + math.exp(-total))


def answer_signals(
    index: Index, result: SearchResult, passages: Sequence[Passage], calibration: Calibration
) -> AnswerSignals:
    """Return the signals of an answer of at least one passage."""
    targets = index.targets_by_id(passage.section.target_id for passage in passages)
    statements = [statement for passage in passages for statement in passage.statements]
    texts = [
        *(statement.text for statement in statements),
        *(title for at in targets.values() for title in at.heading_path),
    ]
    held = {term for text in texts for term in terms(text)}
    return AnswerSignals(
        evidence=evidence_logit(result.signals, calibration),
        standing_out=result.standing_out,
        margin=result.sections[0].score - result.sections[-1].score,
        shown=result.share_of_query(held & result.rarity.keys()),
        code=float(any(statement.kind == "code" for statement in statements)),
    )
