"""Validators of an answer: citations, overlap with evidence, supported numbers, and appropriate certainty.

In English, Vietnamese and Chinese, the phrases of confidence come from the confidence and fallback design (`phrasing`).
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
    """Validator that reports `unsupported_number` for a number that the evidence of its claim lacks."""

    def check(self, draft: Draft) -> Sequence[Finding]:
        """Return one finding for each unsupported number; claims without citation are checked with the context."""
        context = "\n".join(draft.context)
        return [
            Finding("unsupported_number", "hard", number)
            for claim in draft.claims
            for number in unsupported_numbers(
                claim.text, context if claim.evidence is None else claim.evidence, draft.language
            )
        ]


class CitationRequired:
    """Validator that reports `missing_citation` for an answer without claims, or a claim without citation."""

    def check(self, draft: Draft) -> Sequence[Finding]:
        """Return one finding for each claim without citation, or one finding if there are no claims."""
        if not draft.claims:
            return [Finding("missing_citation", "hard")]
        return [Finding("missing_citation", "hard", claim.text) for claim in draft.claims if claim.evidence is None]


class EvidenceOverlap:
    """Validator that reports `low_overlap` if the evidence has less than `threshold` (0 to 1) of a claim's terms."""

    def __init__(self, threshold: float = 0.01) -> None:
        self.threshold = threshold

    def check(self, draft: Draft) -> Sequence[Finding]:
        """Return one finding for each claim with low overlap; claims without citation are checked with the context."""
        context = "\n".join(draft.context)
        return [
            Finding("low_overlap", "hard", claim.text)
            for claim in draft.claims
            if overlap(claim.text, context if claim.evidence is None else claim.evidence) < self.threshold
        ]


def overlap(claim: str, evidence: str) -> float:
    """Return the share of a claim's distinct content terms that its evidence contains; 1 for a quotation."""
    if claim in evidence:  # includes quotations that consist of stop words ("No.")
        return 1.0
    wanted = set(content_terms(claim))
    return len(wanted & set(content_terms(evidence))) / len(wanted) if wanted else 1.0


class ConfidenceValidator:
    """Validator that compares the certainty of an answer with its context.

    Args:
        require_uncertainty_when_no_context: Whether an answer without context must express uncertainty.
    """

    def __init__(self, require_uncertainty_when_no_context: bool = True) -> None:
        self.require_uncertainty_when_no_context = require_uncertainty_when_no_context

    def check(self, draft: Draft) -> Sequence[Finding]:
        """Return `missing_uncertainty_no_context` (hard) or, for generated text, `hedging` (soft).

        The docs may contain words such as *maybe*. Hedge words in quoted text are therefore allowed, and also in
        generated text if the context hedges.
        """
        text, language = draft.text, draft.language
        if not draft.context:
            is_unsure = expresses_uncertainty(text, language) or not self.require_uncertainty_when_no_context
            if is_overconfident(text, language) or not is_unsure:
                return [Finding("missing_uncertainty_no_context", "hard")]
            return []
        hedged = draft.composer == "llm" and hedges(text, language)
        if hedged and not any(hedges(passage, language) for passage in draft.context):
            return [Finding("hedging", "soft")]
        return []


def expresses_uncertainty(text: str, language: str = "en") -> bool:
    """Return whether a text says that its writer does not know."""
    return phrasing(language).confidence.unsure.found_in(text)


def is_overconfident(text: str, language: str = "en") -> bool:
    """Return whether a text claims certainty; phrases of uncertainty such as *not certain* do not count."""
    confidence = phrasing(language).confidence
    return confidence.certain.found_in(confidence.unsure.removed_from(text))


def hedges(text: str, language: str = "en") -> bool:
    """Return whether a text contains words of doubt."""
    return phrasing(language).confidence.hedges.found_in(text)
