"""How likely it is that what was found answers the question: raw signals in, one probability out.

Pure functions, so that the indexer can calibrate them on a site and the sidecar can judge a question with them.
"""

import math
from dataclasses import asdict, dataclass

__all__ = (
    "CALIBRATION_KEY",
    "DEFAULT_CALIBRATION",
    "Calibration",
    "EvidenceSignals",
    "evidence_logit",
    "evidence_probability",
    "rescaled",
)


CALIBRATION_KEY = "calibration"
"""Where an index keeps its own calibration, in `meta`."""


@dataclass(frozen=True, slots=True)
class EvidenceSignals:
    """What a search says of its own success; all between 0 and 1, except that cosines may be negative.

    Attributes:
        best_chunk: Cosine of the nearest chunk.
        best_sentence: Cosine of the nearest sentence.
        top5_mean: Mean cosine of the five nearest chunks.
        coverage: Share of the question's terms, weighted by rarity, that the best sections hold.
        bm25: Best BM25 score, as a share of what a chunk holding every term would get.
        agreement: Share of the ten densest sections that the word rankers put among their ten.
    """

    best_chunk: float
    best_sentence: float
    top5_mean: float
    coverage: float
    bm25: float
    agreement: float


@dataclass(frozen=True, slots=True)
class Calibration:
    """Weights of a logistic over the signals: one of each signal's, and the bias."""

    best_chunk: float
    best_sentence: float
    top5_mean: float
    coverage: float
    bm25: float
    agreement: float
    bias: float


DEFAULT_CALIBRATION = Calibration(
    best_chunk=3.5, best_sentence=4.5, top5_mean=4.4, coverage=2.5, bm25=3.6, agreement=1.4, bias=-7.9
)
"""Used where an index carries no calibration of its own. Fitted on the development questions of one site (Jest's docs:
12 answerable, 72 about other products) with all-MiniLM-L6-v2: an L2-regularised logistic with balanced classes, its
bias raised by 0.4 in favour of answering. On a second site that it was not fitted on (Redux's docs), at one half, it
answers 35 of 36 answerable questions and refuses 36 of 36 off-topic ones and 13 of 16 about a sister product."""


def evidence_probability(signals: EvidenceSignals, calibration: Calibration = DEFAULT_CALIBRATION) -> float:
    """Return the probability, 0 to 1, that the docs hold the answer."""
    total = evidence_logit(signals, calibration)
    return 1.0 / (1.0 + math.exp(-total)) if total > -60 else 0.0


def evidence_logit(signals: EvidenceSignals, calibration: Calibration) -> float:
    """Return the log odds that the docs hold the answer."""
    weighted: float = sum(getattr(calibration, name) * value for name, value in asdict(signals).items())
    return calibration.bias + weighted


def rescaled(calibration: Calibration, slope: float, intercept: float, digits: int) -> Calibration:
    """Return a calibration whose log odds are `slope` times as large plus `intercept`, rounded to `digits` decimals."""
    weights = {name: round(value * slope, digits) for name, value in asdict(calibration).items()}
    return Calibration(**{**weights, "bias": round(calibration.bias * slope + intercept, digits)})
