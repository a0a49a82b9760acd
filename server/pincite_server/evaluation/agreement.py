"""Agreement between two graders of the same answers."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from pincite_server.evaluation.shares import Share

__all__ = ("Agreement", "weighted_kappa")

_USEFUL = 2  # the lowest useful grade


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
        """Cohen's kappa with quadratic weights; see `weighted_kappa`."""
        return weighted_kappa(self.pairs)


def weighted_kappa(pairs: Sequence[tuple[int, int]]) -> float | None:
    """Return Cohen's kappa with quadratic weights: 1 is full agreement, 0 is agreement by chance.

    Args:
        pairs: Two graders' grades of each answer.

    Returns:
        The kappa; None if it is undefined: without pairs, or if all grades are equal.
    """
    first, second = (Counter(grades) for grades in zip(*pairs, strict=True)) if pairs else (Counter(), Counter())
    by_chance = sum(_weight(a, b) * n * m for a, n in first.items() for b, m in second.items())
    if not by_chance:
        return None
    return 1 - len(pairs) * sum(_weight(a, b) for a, b in pairs) / by_chance


def _weight(one: int, other: int) -> int:
    return (one - other) * (one - other)
