"""Answer likelihood: a calibrated probability that the quoted text answers the question.

The evidence score estimates whether the docs contain an answer. This score estimates whether the quoted text is one.
"""

import math
from dataclasses import asdict, dataclass

__all__ = ("LIKELIHOOD_BIAS", "LIKELIHOOD_WEIGHTS", "AnswerSignals", "answer_likelihood")


@dataclass(frozen=True, slots=True)
class AnswerSignals:
    """Signals that raise the likelihood of an answer. The table in docs/index-format.md is written from them."""

    margin: float = 0.0
    """score of the best section minus the score of the last section found, 0 to 1"""
    nearest: float = 0.0
    """score of the best sentence, row or listing shown: its cosine to the question, raised by words of the question,
    lowered for dependent sentences and warnings"""
    z_score: float = 0.0
    """z-score of the nearest chunk's cosine among the candidates"""
    code: float = 0.0
    """1 if the first passage of the answer contains code, else 0"""
    shown: float = 0.0
    """number of words shown, in hundreds"""


# L2-regularised logistic regression on 711 answers of 22 sites, of which 94 are to near misses. Blind readers graded
# each answer as useful or not (decision 039; `python -m bench.confidence --fit`).
LIKELIHOOD_WEIGHTS = AnswerSignals(margin=3.6, nearest=4.3, z_score=0.84, code=0.48, shown=0.25)
LIKELIHOOD_BIAS = -6.44


def answer_likelihood(signals: AnswerSignals) -> float:
    """Return the probability, 0 to 1, that a reader finds the quoted text useful."""
    weights = asdict(LIKELIHOOD_WEIGHTS)
    total = LIKELIHOOD_BIAS + sum(weights[name] * value for name, value in asdict(signals).items())
    return 1.0 / (1.0 + math.exp(-total))
