"""Putting several rankers' scores together: a weighted sum of min-max normalised scores, or reciprocal ranks."""

from collections.abc import Mapping
from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt

__all__ = ("DEFAULT_WEIGHTS", "FusionWeights", "Scores", "fuse_by_rank", "fuse_by_score", "normalise")

Scores = npt.NDArray[np.float64]
"""One ranker's score of every candidate, shape (candidates,); NaN where the ranker did not find it."""

_RANK_OFFSET = 60  # Cormack et al. 2009: damps the difference between the first ranks


@dataclass(frozen=True, slots=True)
class FusionWeights:
    """How much each ranker counts. They need not add up to 1."""

    dense: float = 0.30
    sentence: float = 0.20
    body: float = 0.20
    headings: float = 0.15
    page: float = 0.15
    links: float = 0.05
    code: float = 0.05

    def items(self) -> list[tuple[str, float]]:
        """Return (ranker, weight) pairs."""
        return [(item.name, getattr(self, item.name)) for item in fields(self)]


DEFAULT_WEIGHTS = FusionWeights()


def normalise(scores: Scores) -> Scores:
    """Return the scores between 0 and 1: 0 for the worst and for what was not found, 1 for the best."""
    found = scores[~np.isnan(scores)]
    if not found.size:
        return np.zeros_like(scores)
    low, high = float(found.min()), float(found.max())
    spread = (scores - low) / (high - low) if high > low else np.ones_like(scores)
    return np.nan_to_num(np.where(np.isnan(scores), 0.0, spread))


def fuse_by_score(rankers: Mapping[str, Scores], weights: FusionWeights) -> Scores:
    """Return the weighted mean of the rankers' normalised scores, each between 0 and 1."""
    total = sum(weight for _, weight in weights.items()) or 1.0
    parts = [weight * normalise(rankers[name]) for name, weight in weights.items() if name in rankers]
    fused: Scores = np.sum(parts, axis=0) / total
    return fused


def fuse_by_rank(rankers: Mapping[str, Scores], weights: FusionWeights) -> Scores:
    """Return weighted reciprocal rank fusion, scaled so that first place everywhere is 1."""
    total = sum(weight for _, weight in weights.items()) or 1.0
    parts = [weight * _reciprocal_ranks(rankers[name]) for name, weight in weights.items() if name in rankers]
    fused: Scores = np.sum(parts, axis=0) * (_RANK_OFFSET + 1) / total
    return fused


def _reciprocal_ranks(scores: Scores) -> Scores:
    order = np.argsort(-np.nan_to_num(scores, nan=-np.inf), kind="stable")
    ranks = np.empty(len(scores))
    ranks[order] = np.arange(1, len(scores) + 1)
    return np.where(np.isnan(scores), 0.0, 1.0 / (_RANK_OFFSET + ranks))
