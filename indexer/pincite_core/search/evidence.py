"""How likely it is that what was found answers the question: raw signals in, one probability out.

Pure functions, so that the indexer can calibrate them on a site and the sidecar can judge a question with them.
"""

import math
from dataclasses import asdict, dataclass

__all__ = (
    "CALIBRATION_KEY",
    "DEFAULT_CALIBRATION",
    "WORDS_CALIBRATION",
    "Calibration",
    "EvidenceSignals",
    "calibration_where",
    "evidence_logit",
    "evidence_probability",
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
        unknown_name: How rare the rarest name in the question is that the best sections do not hold, 1 for one that
            the site never uses: a question about another product.
    """

    best_chunk: float
    best_sentence: float
    top5_mean: float
    coverage: float
    bm25: float
    unknown_name: float


@dataclass(frozen=True, slots=True)
class Calibration:
    """Weights of a logistic over the signals: one of each signal's, and the bias."""

    best_chunk: float
    best_sentence: float
    top5_mean: float
    coverage: float
    bm25: float
    unknown_name: float
    bias: float


DEFAULT_CALIBRATION = Calibration(
    best_chunk=3.9, best_sentence=6.2, top5_mean=4.6, coverage=1.6, bm25=3.5, unknown_name=-2.0, bias=-7.8
)
"""Used where an index carries no calibration of its own, and the weights that every calibration rescales. Fitted on
questions that were asked of three sites (Jest's and Redux's trackers, an example site: 184 that the docs answer, 223
about other things) with all-MiniLM-L6-v2: an L2-regularised logistic with balanced classes, each site's signals
counted from their medians over the bundled foreign questions, so that it learns what parts questions of one site."""


WORDS_CALIBRATION = Calibration(
    best_chunk=0.0, best_sentence=0.0, top5_mean=0.0, coverage=2.0, bm25=20.0, unknown_name=-0.5, bias=-4.7
)
"""The weights where vectors say nothing. The best score of words as a share of what is possible parts what is answered
from what is not at nearly the same value in every language: of 120 questions each in Chinese, Japanese, Thai and German
one in 25 is below .22, .22, .22 and .19. Coverage tells a little more on real docs, whose readers use other words."""


def calibration_where(vectors: float) -> Calibration:
    """Return the weights for a language whose vectors are worth so much, 0 to 1: from words alone to the default."""
    if vectors == 1.0:
        return DEFAULT_CALIBRATION
    alone, full = asdict(WORDS_CALIBRATION), asdict(DEFAULT_CALIBRATION)
    return Calibration(**{name: vectors * full[name] + (1.0 - vectors) * alone[name] for name in full})


def evidence_probability(signals: EvidenceSignals, calibration: Calibration = DEFAULT_CALIBRATION) -> float:
    """Return the probability, 0 to 1, that the docs hold the answer."""
    total = evidence_logit(signals, calibration)
    return 1.0 / (1.0 + math.exp(-total)) if total > -60 else 0.0


def evidence_logit(signals: EvidenceSignals, calibration: Calibration) -> float:
    """Return the log odds that the docs hold the answer."""
    weighted: float = sum(getattr(calibration, name) * value for name, value in asdict(signals).items())
    return calibration.bias + weighted
