"""Whether a search found enough to answer: its evidence beside the operator's threshold."""

from dataclasses import dataclass

from pincite_core.search.evidence import Calibration, EvidenceSignals, evidence_probability
from pincite_server.policy import Policy

__all__ = ("Evidence", "judge_evidence")

_WEAK = 0.5  # share of the threshold; what is refused below it is about something else


@dataclass(frozen=True, slots=True)
class Evidence:
    """`value` (0 to 1) is what was compared with `threshold`."""

    value: float
    threshold: float

    @property
    def sufficient(self) -> bool:
        """Whether it is enough to answer; exactly at the threshold is."""
        return self.value >= self.threshold

    @property
    def weak(self) -> bool:
        """Whether it is too little to answer and too much to say that the docs have nothing near."""
        return not self.sufficient and self.value >= _WEAK * self.threshold


def judge_evidence(signals: EvidenceSignals, calibration: Calibration, policy: Policy) -> Evidence:
    """Return the evidence beside the operator's threshold for it."""
    if policy.evidence_mode == "cosine":
        value = max(0.0, min(1.0, signals.best_chunk))
        return Evidence(value, policy.cosine_threshold)
    return Evidence(evidence_probability(signals, calibration), policy.evidence_threshold)
