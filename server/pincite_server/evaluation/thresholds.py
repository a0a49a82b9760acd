"""What an evaluation must reach, for CI."""

from collections.abc import Mapping
from dataclasses import dataclass

from pincite_server.evaluation.evaluate import Evaluation
from pincite_server.evaluation.judge import JudgedQuestion
from pincite_server.evaluation.measures import MEASURES
from pincite_server.evaluation.shares import Share

__all__ = ("ANY_LEAK", "Failure", "find_failures")

ANY_LEAK = {"leaks": 0.0}
"""No site wants to be answered from another version: this holds without being asked for."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A measure that misses its bound, and the questions that weigh against it."""

    measure: str
    bound: float
    share: Share
    rows: tuple[JudgedQuestion, ...]


def find_failures(evaluation: Evaluation, bounds: Mapping[str, float]) -> list[Failure]:
    """Return the measures that are below their bound (or above it, where less is better).

    A measure that no question counts for cannot fail.

    Args:
        evaluation: What was measured.
        bounds: A share, 0 to 1, by measure.
    """
    return [
        Failure(name, bound, evaluation.measures[name], tuple(MEASURES[name].missed(evaluation.rows)))
        for name, bound in bounds.items()
        if not _holds(name, evaluation.measures[name].value, bound)
    ]


def _holds(name: str, value: float | None, bound: float) -> bool:
    if value is None:
        return True
    return value >= bound if MEASURES[name].good else value <= bound
