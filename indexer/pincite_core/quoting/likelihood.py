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


# A logistic, L2-regularised, over 711 answers of 22 sites, 94 of them to near misses, useful or not as blind readers
# graded them (decision 039; `python -m bench.confidence --fit`).
LIKELIHOOD_WEIGHTS = AnswerSignals(margin=3.6, nearest=4.3, standing_out=0.84, code=0.48, shown=0.25)
LIKELIHOOD_BIAS = -6.44


def answer_likelihood(signals: AnswerSignals) -> float:
    """Return the probability, 0 to 1, that a reader finds what is quoted of use."""
    weights = asdict(LIKELIHOOD_WEIGHTS)
    total = LIKELIHOOD_BIAS + sum(weights[name] * value for name, value in asdict(signals).items())
    return 1.0 / (1.0 + math.exp(-total))
