"""Evidence scoring: maps the signals of a search to the probability that the docs answer the question.

All functions are pure. The indexer uses them to calibrate a site, and the sidecar uses them to score a question.
"""

import math
from dataclasses import asdict, dataclass, fields
from typing import Self

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
"""The key in the `meta` table under which an index stores its own calibration."""


@dataclass(frozen=True, slots=True)
class EvidenceSignals:
    """Signals of how well a search succeeded, between 0 and 1; cosines may be negative.

    The table in docs/index-format.md is written from them.
    """

    best_chunk: float
    """cosine of the nearest chunk"""
    best_sentence: float
    """cosine of the nearest sentence"""
    top5_mean: float
    """mean cosine of the five nearest chunks"""
    coverage: float
    """share of the question's terms, weighted by idf, that occur in the best sections"""
    bm25: float
    """best BM25 score, as a share of the score of a chunk that contains every term"""
    unknown_name: float
    """highest idf, as a share of the maximum, of a name in the question that the best sections lack; 1 means that the
    site never uses the name, so the question is about another product"""

    @classmethod
    def uniform(cls, value: float) -> Self:
        """Return the same value for every field."""
        return cls(**{field.name: value for field in fields(cls)})


@dataclass(frozen=True, slots=True)
class Calibration(EvidenceSignals):
    """One coefficient of a logistic regression for each signal, and its bias."""

    bias: float


DEFAULT_CALIBRATION = Calibration(
    best_chunk=3.9, best_sentence=6.2, top5_mean=4.6, coverage=1.6, bm25=3.5, unknown_name=-2.0, bias=-7.8
)
"""The calibration of an index that stores none. Every other calibration rescales these weights.

They come from an L2-regularised logistic regression with balanced classes and the model all-MiniLM-L6-v2. The data are
questions to three sites (the trackers of Jest and Redux, an example site): 184 that the docs answer, and 223 about
other topics. Each site's signals are centred on their medians over the bundled foreign questions, so that the
regression learns differences within a site."""


WORDS_CALIBRATION = Calibration(
    best_chunk=0.0, best_sentence=0.0, top5_mean=0.0, coverage=2.0, bm25=20.0, unknown_name=-0.5, bias=-4.7
)
"""The weights for a language that the embedding model cannot read.

The `bm25` signal separates answered from unanswered questions at nearly the same value in every language. Of 120
questions each in Chinese, Japanese, Thai and German, one in 25 is below .22, .22, .22 and .19. `coverage` adds a little
on real docs, because readers use other words than the docs."""


def calibration_where(vectors: float) -> Calibration:
    """Return the calibration for a dense weight between 0 (`WORDS_CALIBRATION`) and 1 (`DEFAULT_CALIBRATION`)."""
    if vectors == 1.0:
        return DEFAULT_CALIBRATION
    alone, full = asdict(WORDS_CALIBRATION), asdict(DEFAULT_CALIBRATION)
    return Calibration(**{name: vectors * full[name] + (1.0 - vectors) * alone[name] for name in full})


def evidence_probability(signals: EvidenceSignals, calibration: Calibration = DEFAULT_CALIBRATION) -> float:
    """Return the probability, 0 to 1, that the docs contain the answer."""
    total = evidence_logit(signals, calibration)
    return 1.0 / (1.0 + math.exp(-total)) if total > -60 else 0.0


def evidence_logit(signals: EvidenceSignals, calibration: Calibration) -> float:
    """Return the log odds that the docs contain the answer."""
    weighted: float = sum(getattr(calibration, name) * value for name, value in asdict(signals).items())
    return calibration.bias + weighted
