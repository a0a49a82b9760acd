"""Score fusion: combines rankers by a weighted sum, and searches by reciprocal rank fusion.

Cosines are min-max normalised over the candidates. BM25 scores are divided by the best score. They need no minimum: a
lexical ranker returns only its first hundred chunks, so a score of 0 means that it did not return the chunk.
"""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import TypeVar

import numpy as np
import numpy.typing as npt

__all__ = (
    "COSINES",
    "FIRST_PLACE",
    "LEXICAL",
    "OTHER_PLACES",
    "RANK_SMOOTHING",
    "SAME_COSINE",
    "TEXTS",
    "TEXT_ALONE",
    "FusionWeights",
    "Scores",
    "fuse_by_rank",
    "fuse_by_score",
    "share_of_best",
    "spread",
)

Scores = npt.NDArray[np.float64]
"""One ranker's score of every candidate, shape (candidates,); NaN if the ranker has no score for a candidate."""

RANK_SMOOTHING = 5
"""The constant k of reciprocal rank fusion. With the paper's 60, middle ranks in two rankings beat one first rank.

The value was chosen among 5, 10, 20 and 60 on 78 judged questions about three sites. With each larger value, one more
question loses its right section among the first twelve."""

SAME_COSINE = 1e-6
"""Cosines that differ by less are equal: sums of float32 products in another order differ by about 1e-7."""

_Key = TypeVar("_Key", bound=Hashable)
COSINES = frozenset({"dense", "sentence", "tokens", "around", "title"})
LEXICAL = ("body", "headings", "page", "links", "code")
TEXTS = ("body", "headings", "page", "links")
TEXT_ALONE = 0.45
"""Added to the body weight if the dense weight is 0, because the body text says more than a title."""


@dataclass(frozen=True, slots=True)
class FusionWeights:
    """Weight of each ranker in the weighted sum; the weights need not add up to 1.

    The defaults are the best of a few combinations tried on 45 development questions about two sites. Neighbouring
    values change the result of one or two questions. `title` was chosen on 141 other questions about two sites, and
    raises hit@1 by two of the 45 questions. `tokens` and `around` were chosen on 484 questions about eight sites.
    Weights learned from these questions or from synthetic questions are not better.
    """

    dense: float = 0.40
    sentence: float = 0.30
    tokens: float = 0.50
    around: float = 0.20
    body: float = 0.15
    title: float = 0.10
    headings: float = 0.10
    page: float = 0.10
    links: float = 0.05
    code: float = 0.05

    def trusting_words(self, share: float) -> "FusionWeights":
        """Return the weights with the lexical rankers' weights multiplied by `share`, 0 to 1."""
        return replace(self, **{name: share * getattr(self, name) for name in LEXICAL})

    def trusting_vectors(self, dense_weight: float) -> "FusionWeights":
        """Return the weights for a dense weight between 0 and 1: scale the dense rankers, raise the body weight."""
        if dense_weight == 1.0:
            return self
        scaled = replace(self, **{name: dense_weight * getattr(self, name) for name in COSINES})
        return replace(scaled, body=self.body + TEXT_ALONE * (1.0 - dense_weight))

    def items(self) -> list[tuple[str, float]]:
        """Return (ranker, weight) pairs."""
        return [(item.name, getattr(self, item.name)) for item in fields(self)]


FIRST_PLACE = FusionWeights()
"""The weights that select the first section. Titles count more: a reader who knows a section's name uses it."""

OTHER_PLACES = FusionWeights(
    dense=0.50,
    sentence=0.15,
    tokens=0.45,
    around=0.20,
    body=0.25,
    title=0.02,
    headings=0.06,
    page=0.08,
    links=0.03,
    code=0.05,
)
"""The weights that order all other sections. Titles count less: a symptom shares words with a title by chance.

They were chosen on 484 questions, of which 252 are from trackers (decision 038)."""


def spread(scores: Scores) -> Scores:
    """Return min-max normalised cosines: 1 for the best candidate, 0 for the worst and for missing scores."""
    found = scores[~np.isnan(scores)]
    if not found.size:
        return np.zeros_like(scores)
    low, high = float(found.min()), float(found.max())
    normalised = (scores - low) / (high - low) if high - low > SAME_COSINE else np.ones_like(scores)
    return np.where(np.isnan(scores), 0.0, normalised)


def share_of_best(scores: Scores, least: float = 0.0) -> Scores:
    """Divide non-negative scores by the best score, or by `least` if it is larger; missing scores become 0."""
    found = np.nan_to_num(scores)
    best = max(float(found.max(initial=0.0)), least)
    shares: Scores = found / best if best > 0 else np.zeros_like(found)
    return shares


def fuse_by_score(rankers: Mapping[str, Scores], weights: FusionWeights, vectors: float = 1.0) -> Scores:
    """Return the weighted mean of the rankers' normalised scores, each between 0 and 1.

    Args:
        rankers: Scores by ranker.
        weights: The weight of each ranker.
        vectors: The dense weight, 0 to 1. At 0 the scores of all text columns are divided by the same best score.
            Otherwise a common word would count as much in a title or link as in the body text.
    """
    weighted = [(name, weight) for name, weight in weights.items() if name in rankers]
    least = {} if vectors == 1.0 else _least(rankers, vectors)
    parts = [
        weight * (spread(rankers[name]) if name in COSINES else share_of_best(rankers[name], least.get(name, 0.0)))
        for name, weight in weighted
    ]
    fused: Scores = np.sum(parts, axis=0) / (sum(weight for _, weight in weighted) or 1.0)
    return fused


def _least(rankers: Mapping[str, Scores], vectors: float) -> dict[str, float]:
    """Return the divisor of each text column's scores: interpolated from its own best to the best of all columns."""
    best = {name: float(np.nan_to_num(rankers[name]).max(initial=0.0)) for name in TEXTS if name in rankers}
    return {name: vectors * own + (1.0 - vectors) * max(best.values()) for name, own in best.items()}


def fuse_by_rank(rankings: Iterable[Iterable[_Key]], smoothing: int = RANK_SMOOTHING) -> list[_Key]:
    """Merge rankings by reciprocal rank fusion (Cormack et al. 2009); return the keys, best first.

    Args:
        rankings: Each ranking is best first, without repeats. Ties keep the order of first occurrence.
        smoothing: The constant k of 1 / (k + rank).
    """
    scores: dict[_Key, float] = {}
    for ranking in rankings:
        for rank, key in enumerate(ranking, start=1):
            scores[key] = scores.get(key, 0.0) + 1 / (smoothing + rank)
    return sorted(scores, key=lambda key: -scores[key])
