"""How likely what is quoted answers the question: a calibrated probability, fitted on answers that readers graded.

Evidence tells whether the docs hold an answer at all; this tells whether the words on the screen are it.
"""

import math
from dataclasses import asdict, dataclass

__all__ = ("LIKELIHOOD_BIAS", "LIKELIHOOD_WEIGHTS", "USUAL_WORDS", "AnswerSignals", "answer_likelihood")


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
        words: How near the question's words come to the nearest words of the sections that are shown, 0 to 1.
        length: The question's length: the logarithm of its characters. Of a long one less is said in one place.
    """

    margin: float
    nearest: float
    standing_out: float
    code: float
    shown: float
    words: float
    length: float


# A logistic, L2-regularised, over 711 answers, those to near misses among them, of 22 sites, useful or not as blind
# readers graded them (decision 039).
LIKELIHOOD_WEIGHTS = AnswerSignals(
    margin=3.0, nearest=2.9, standing_out=0.94, code=0.48, shown=0.23, words=6.6, length=0.51
)
LIKELIHOOD_BIAS = -12.45

USUAL_WORDS = 0.76
"""Their mean over these answers: what stands for `words` where a model has no vectors of tokens."""


def answer_likelihood(signals: AnswerSignals) -> float:
    """Return the probability, 0 to 1, that a reader finds what is quoted of use."""
    weights = asdict(LIKELIHOOD_WEIGHTS)
    total = LIKELIHOOD_BIAS + sum(weights[name] * value for name, value in asdict(signals).items())
    return 1.0 / (1.0 + math.exp(-total))
