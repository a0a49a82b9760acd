"""Decide whether a search found enough evidence to answer, by the operator's threshold."""

from dataclasses import dataclass

from pincite_core.rules import QUESTION
from pincite_core.search.evidence import Calibration, EvidenceSignals, evidence_probability
from pincite_server.policy import Policy

__all__ = ("Evidence", "judge_evidence")


@dataclass(frozen=True, slots=True)
class Evidence:
    """The evidence of a search.

    Attributes:
        value: The probability that the docs answer the question, or the best cosine, 0 to 1.
        threshold: The least value for an answer.
    """

    value: float
    threshold: float

    @property
    def sufficient(self) -> bool:
        """Whether the value reaches the threshold."""
        return self.value >= self.threshold

    @property
    def weak(self) -> bool:
        """Whether the value is below the threshold, but at least half of it."""
        return not self.sufficient and self.value >= QUESTION.weak * self.threshold


def judge_evidence(signals: EvidenceSignals, calibration: Calibration, policy: Policy) -> Evidence:
    """Return the evidence of a search with the operator's threshold."""
    if policy.evidence_mode == "cosine":
        value = max(0.0, min(1.0, signals.best_chunk))
        return Evidence(value, policy.cosine_threshold)
    return Evidence(evidence_probability(signals, calibration), policy.evidence_threshold)
