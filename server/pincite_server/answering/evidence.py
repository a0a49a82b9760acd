"""Whether what was found is enough to answer: the calibrated probability, or the specification's cosine."""

from dataclasses import dataclass

from pincite_core.search_evidence import Calibration, EvidenceSignals, evidence_probability
from pincite_server.policy import Policy

__all__ = ("Evidence", "judge_evidence")


@dataclass(frozen=True, slots=True)
class Evidence:
    """`value` (0 to 1) is what was compared with the threshold; `sufficient` includes equality."""

    value: float
    sufficient: bool


def judge_evidence(signals: EvidenceSignals, calibration: Calibration, policy: Policy) -> Evidence:
    """Compare the evidence with the operator's threshold; exactly at the threshold is enough."""
    if policy.evidence_mode == "cosine":
        value = max(0.0, min(1.0, signals.best_chunk))
        return Evidence(value, value >= policy.cosine_threshold)
    value = evidence_probability(signals, calibration)
    return Evidence(value, value >= policy.evidence_threshold)
