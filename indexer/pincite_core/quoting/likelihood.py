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
        words: How near the words of the question are to those of a section that is shown: the mean, over the
            question's tokens, of the cosine to its nearest token.
        standing_out: How far the nearest chunk stands out among the candidates, in their standard deviations.
        code: Whether the answer shows code, 0 or 1.
    """

    margin: float
    words: float
    standing_out: float
    code: float


# A logistic, L2-regularised, over 530 answers and near misses of 13 sites, useful or not as blind readers graded them
# (decision 017).
LIKELIHOOD_WEIGHTS = AnswerSignals(margin=3.0, words=7.7, standing_out=0.55, code=0.7)
LIKELIHOOD_BIAS = -7.0


def answer_likelihood(signals: AnswerSignals) -> float:
    """Return the probability, 0 to 1, that a reader finds what is quoted of use."""
    weights = asdict(LIKELIHOOD_WEIGHTS)
    total = LIKELIHOOD_BIAS + sum(weights[name] * value for name, value in asdict(signals).items())
    return 1.0 / (1.0 + math.exp(-total))
