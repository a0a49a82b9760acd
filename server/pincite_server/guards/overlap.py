"""Evidence overlap: a claim shares words with what it cites."""

from collections.abc import Sequence

from pincite_core.search.terms import content_terms
from pincite_server.guards.chain import Draft, Finding

__all__ = ("EvidenceOverlap", "overlap")


class EvidenceOverlap:
    """Finds `low_overlap` where less than `threshold` (0 to 1) of a claim's words stand in its evidence."""

    def __init__(self, threshold: float = 0.01) -> None:
        self.threshold = threshold

    def check(self, draft: Draft) -> Sequence[Finding]:
        """Return one finding for each claim that its evidence, or for want of one the context, does not hold."""
        context = "\n".join(draft.context)
        return [
            Finding("low_overlap", "hard", claim.text)
            for claim in draft.claims
            if overlap(claim.text, context if claim.evidence is None else claim.evidence) < self.threshold
        ]


def overlap(claim: str, evidence: str) -> float:
    """Return the share of a claim's distinct content terms that its evidence holds; 1 for a quotation."""
    if claim in evidence:  # a quotation of stop words alone ("No.") as well
        return 1.0
    wanted = set(content_terms(claim))
    return len(wanted & set(content_terms(evidence))) / len(wanted) if wanted else 1.0
