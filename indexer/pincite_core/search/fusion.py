"""Putting several rankers' scores together by a weighted sum, and several searches' rankings by reciprocal rank.

Cosines are spread between the worst and the best candidate. BM25 scores become shares of the best one: a ranker of
words returns only its first hundred, so the worst of those is no zero, while what it left out is.
"""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import TypeVar

import numpy as np
import numpy.typing as npt

__all__ = (
    "FIRST_PLACE",
    "OTHER_PLACES",
    "RANK_SMOOTHING",
    "TEXT_ALONE",
    "FusionWeights",
    "Scores",
    "fuse_by_rank",
    "fuse_by_score",
    "share_of_best",
    "spread",
)

Scores = npt.NDArray[np.float64]
"""One ranker's score of every candidate, shape (candidates,); NaN where the ranker did not find it."""

RANK_SMOOTHING = 5
"""Not 60, as in the paper: then the middle of two rankings passes the first place of one. Chosen among 5, 10, 20 and 60
on 78 judged questions about three sites, of which each step loses one more among twelve sections."""

_Key = TypeVar("_Key", bound=Hashable)
_COSINES = frozenset({"dense", "sentence", "tokens", "around", "title"})
_WORDS = ("body", "headings", "page", "links", "code")
_TEXTS = ("body", "headings", "page", "links")
TEXT_ALONE = 0.45
"""Added to the body where vectors are worth nothing: four times a title, as the text outweighs one."""


@dataclass(frozen=True, slots=True)
class FusionWeights:
    """How much each ranker counts; they need not add up to 1.

    The defaults are the best of a handful tried on the development questions of two sites, 45 in all; neighbours of
    them differ by a question or two. `title` was chosen on 141 others, of two sites, and puts two more of the 45 first;
    `tokens` and `around` on 484 about eight sites. Weights learned from these or from synthetic questions do no better.
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
        """Return the weights with those of the rankers of words multiplied by `share`, 0 to 1."""
        return replace(self, **{name: share * getattr(self, name) for name in _WORDS})

    def trusting_vectors(self, worth: float) -> "FusionWeights":
        """Return the weights where vectors are worth less, 0 to 1: what they lose, the text of a section gains."""
        if worth == 1.0:
            return self
        told = replace(self, **{name: worth * getattr(self, name) for name in _COSINES})
        return replace(told, body=self.body + TEXT_ALONE * (1.0 - worth))

    def items(self) -> list[tuple[str, float]]:
        """Return (ranker, weight) pairs."""
        return [(item.name, getattr(self, item.name)) for item in fields(self)]


FIRST_PLACE = FusionWeights()
"""What chooses the first section: who knows a section's name asks by it."""

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
"""What chooses all others: who tells a symptom shares words with a title by chance. Chosen on 484 questions, of which
252 are from trackers (decision 038)."""


def spread(scores: Scores) -> Scores:
    """Return the scores between 0 and 1: 0 for the worst and for what has none, 1 for the best."""
    found = scores[~np.isnan(scores)]
    if not found.size:
        return np.zeros_like(scores)
    low, high = float(found.min()), float(found.max())
    parted = (scores - low) / (high - low) if high > low else np.ones_like(scores)
    return np.where(np.isnan(scores), 0.0, parted)


def share_of_best(scores: Scores, least: float = 0.0) -> Scores:
    """Return non-negative scores as shares of the best one, or of `least` if that is more; 0 for what was not found."""
    found = np.nan_to_num(scores)
    best = max(float(found.max(initial=0.0)), least)
    shares: Scores = found / best if best > 0 else np.zeros_like(found)
    return shares


def fuse_by_score(rankers: Mapping[str, Scores], weights: FusionWeights, vectors: float = 1.0) -> Scores:
    """Return the weighted mean of the rankers' normalised scores, each between 0 and 1.

    Args:
        rankers: Scores by ranker.
        weights: How much each counts.
        vectors: What vectors are worth. Where words stand alone, those of a title or a link must not count as much as
            the text's for one common word: all are shares of the best score of any.
    """
    weighted = _weighted(rankers, weights)
    least = {} if vectors == 1.0 else _least(rankers, vectors)
    parts = [weight * _normalised(name, rankers[name], least.get(name, 0.0)) for name, weight in weighted]
    fused: Scores = np.sum(parts, axis=0) / _total(weighted)
    return fused


def _least(rankers: Mapping[str, Scores], vectors: float) -> dict[str, float]:
    """Return what the scores of each ranker of words are shares of: between its own best and the best of any."""
    best = {name: float(np.nan_to_num(rankers[name]).max(initial=0.0)) for name in _TEXTS if name in rankers}
    return {name: vectors * own + (1.0 - vectors) * max(best.values()) for name, own in best.items()}


def _normalised(name: str, scores: Scores, least: float) -> Scores:
    return spread(scores) if name in _COSINES else share_of_best(scores, least)


def _weighted(rankers: Mapping[str, Scores], weights: FusionWeights) -> list[tuple[str, float]]:
    """Return the weights of the rankers that took part."""
    return [(name, weight) for name, weight in weights.items() if name in rankers]


def _total(weighted: list[tuple[str, float]]) -> float:
    return sum(weight for _, weight in weighted) or 1.0


def fuse_by_rank(rankings: Iterable[Iterable[_Key]], smoothing: int = RANK_SMOOTHING) -> list[_Key]:
    """Return what several rankings hold, best first, by reciprocal rank fusion (Cormack et al. 2009).

    Args:
        rankings: Each best first, without repeats. Of equals the one that came first in the first ranking is first.
        smoothing: The constant k of 1 / (k + rank).
    """
    scores: dict[_Key, float] = {}
    for ranking in rankings:
        for rank, key in enumerate(ranking, start=1):
            scores[key] = scores.get(key, 0.0) + 1 / (smoothing + rank)
    return sorted(scores, key=lambda key: -scores[key])
