"""The checks of an answer: every claim cites something, shares words and numbers with it; certainty fits the context.

Words of confidence are those of the confidence and fallback design in English, Vietnamese and Chinese; see `phrasing`.
"""

from collections.abc import Sequence

from pincite_core.phrasing import phrasing
from pincite_core.quoting.quantities import unsupported_numbers
from pincite_core.search.terms import content_terms
from pincite_server.guards.chain import Draft, Finding

__all__ = (
    "CitationRequired",
    "ConfidenceValidator",
    "EvidenceOverlap",
    "NumericUnitsBasic",
    "expresses_uncertainty",
    "hedges",
    "is_overconfident",
    "overlap",
)


class NumericUnitsBasic:
    """Finds `unsupported_number` for a number that the evidence of its claim does not hold."""

    def check(self, draft: Draft) -> Sequence[Finding]:
        """Return one finding for each such number."""
        context = "\n".join(draft.context)
        return [
            Finding("unsupported_number", "hard", number)
            for claim in draft.claims
            for number in unsupported_numbers(
                claim.text, context if claim.evidence is None else claim.evidence, draft.language
            )
        ]


class CitationRequired:
    """Finds `missing_citation` in an answer without claims, or with a claim that cites nothing."""

    def check(self, draft: Draft) -> Sequence[Finding]:
        """Return one finding for each uncited claim."""
        if not draft.claims:
            return [Finding("missing_citation", "hard")]
        return [Finding("missing_citation", "hard", claim.text) for claim in draft.claims if claim.evidence is None]


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


class ConfidenceValidator:
    """Checks that certainty fits the context.

    Args:
        require_uncertainty_when_no_context: Whether an answer without context must say that it does not know.
    """

    def __init__(self, require_uncertainty_when_no_context: bool = True) -> None:
        self.require_uncertainty_when_no_context = require_uncertainty_when_no_context

    def check(self, draft: Draft) -> Sequence[Finding]:
        """Return `missing_uncertainty_no_context` (hard) or, for generated text, `hedging` (soft).

        The docs themselves may say *maybe*: hedge words count for nothing in quoted text, nor where the context hedges.
        """
        if not draft.context:
            return self._check_without_context(draft.text, draft.language)
        hedged = draft.composer == "llm" and hedges(draft.text, draft.language)
        if hedged and not any(hedges(text, draft.language) for text in draft.context):
            return [Finding("hedging", "soft")]
        return []

    def _check_without_context(self, text: str, language: str) -> Sequence[Finding]:
        unsure = expresses_uncertainty(text, language)
        if is_overconfident(text, language) or (self.require_uncertainty_when_no_context and not unsure):
            return [Finding("missing_uncertainty_no_context", "hard")]
        return []


def expresses_uncertainty(text: str, language: str = "en") -> bool:
    """Whether a text says that its writer does not know."""
    return phrasing(language).confidence.unsure.found_in(text)


def is_overconfident(text: str, language: str = "en") -> bool:
    """Whether a text insists on its certainty, other than by saying that it is *not* certain."""
    confidence = phrasing(language).confidence
    return confidence.certain.found_in(confidence.unsure.removed_from(text))


def hedges(text: str, language: str = "en") -> bool:
    """Whether a text holds words of doubt."""
    return phrasing(language).confidence.hedges.found_in(text)
