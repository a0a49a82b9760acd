"""How likely what is quoted answers the question: a calibrated probability, fitted on answers that readers graded.

Evidence tells whether the docs hold an answer at all; this tells whether the words on the screen are it.
"""

import math
from dataclasses import asdict, dataclass

__all__ = ("LIKELIHOOD_BIAS", "LIKELIHOOD_WEIGHTS", "AnswerSignals", "answer_likelihood")


@dataclass(frozen=True, slots=True)
class AnswerSignals:
    """What speaks for an answer.

    Attributes:
        margin: How much better the best section fits than the last one found, 0 to 1.
        nearest: How near the nearest sentence, row or listing that is shown is to the question, as they were chosen
            by: its cosine, and what is added for the question's words and taken for what leans or warns.
        standing_out: How far the nearest chunk stands out among the candidates, in their standard deviations.
        code: Whether the answer shows code, 0 or 1.
        shown: How many words are shown, in hundreds.
    """

    margin: float
    nearest: float
    standing_out: float
    code: float
    shown: float


# A logistic, L2-regularised, over 372 answers and near misses of 11 sites, useful or not as blind readers graded them
# (decision 038).
LIKELIHOOD_WEIGHTS = AnswerSignals(margin=3.8, nearest=3.2, standing_out=0.69, code=0.41, shown=0.19)
LIKELIHOOD_BIAS = -5.27


def answer_likelihood(signals: AnswerSignals) -> float:
    """Return the probability, 0 to 1, that a reader finds what is quoted of use."""
    weights = asdict(LIKELIHOOD_WEIGHTS)
    total = LIKELIHOOD_BIAS + sum(weights[name] * value for name, value in asdict(signals).items())
    return 1.0 / (1.0 + math.exp(-total))
