"""Shares with confidence intervals, because a percentage of few questions is uncertain; agreement of graders."""

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

__all__ = ("Agreement", "Share")

_Z = 1.959964  # two-sided 95 % quantile of the normal distribution
_USEFUL = 2  # the lowest useful grade


@dataclass(frozen=True, slots=True)
class Share:
    """A share: `hits` of `total`."""

    hits: int
    total: int

    @classmethod
    def of(cls, outcomes: Iterable[bool]) -> Self:
        """Count the true values among some outcomes."""
        listed = list(outcomes)
        return cls(sum(listed), len(listed))

    @property
    def value(self) -> float | None:
        """The share, 0 to 1; None if the total is 0."""
        return self.hits / self.total if self.total else None

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % Wilson interval, which is valid for few trials and near 0 and 1; (0, 1) if the total is 0."""
        if not self.total:
            return 0.0, 1.0
        share, square = self.hits / self.total, _Z * _Z
        middle = share + square / (2 * self.total)
        spread = _Z * math.sqrt(share * (1 - share) / self.total + square / (4 * self.total**2))
        scale = 1 + square / self.total
        return max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)


@dataclass(frozen=True, slots=True)
class Agreement:
    """Pairs of grades, 0 to 3: a person's and the model's. `ungraded` counts answers without a grade by the model."""

    pairs: tuple[tuple[int, int], ...]
    ungraded: int = 0

    @property
    def same(self) -> Share:
        """The share of pairs with equal grades."""
        return Share.of(one == other for one, other in self.pairs)

    @property
    def same_use(self) -> Share:
        """The share of pairs in which both grades are useful (2 or 3) or both are not."""
        return Share.of((one >= _USEFUL) == (other >= _USEFUL) for one, other in self.pairs)

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa with quadratic weights: 1 is full agreement, 0 is agreement by chance.

        None if it is undefined: without pairs, or if all grades are equal.
        """
        first, second = Counter(one for one, _ in self.pairs), Counter(other for _, other in self.pairs)
        by_chance = sum((a - b) ** 2 * n * m for a, n in first.items() for b, m in second.items())
        if not by_chance:
            return None
        return 1 - len(self.pairs) * sum((a - b) ** 2 for a, b in self.pairs) / by_chance
