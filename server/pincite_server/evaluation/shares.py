"""Shares with confidence intervals, because a percentage of a few dozen questions is uncertain."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

__all__ = ("Share",)

_Z = 1.959964  # two-sided 95 % quantile of the normal distribution


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
