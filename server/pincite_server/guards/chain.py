"""The validator chain: each validator checks the whole draft and returns findings.

In English, Vietnamese and Chinese, the phrases of confidence are fixed (CONF-1, `phrasing`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from pincite_core.phrasing import phrasing
from pincite_core.quoting.quantities import unsupported_numbers
from pincite_core.search.terms import content_terms
from pincite_server.policy import Strictness
from pincite_server.reply.records import CheckReason, Composer

__all__ = (
    "CitationRequired",
    "Claim",
    "ConfidenceValidator",
    "Draft",
    "EvidenceOverlap",
    "Finding",
    "NumericUnitsBasic",
    "ValidationResult",
    "Validator",
    "ValidatorChain",
    "must_fall_back",
)


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement of the answer without citation markers, with the cited text (None without a citation)."""

    text: str
    evidence: str | None


@dataclass(frozen=True, slots=True)
class Draft:
    """An answer before release."""

    composer: Composer
    claims: tuple[Claim, ...]
    context: tuple[str, ...]  # the text of every section retrieved for the answer
    language: str = "en"  # BCP 47 tag of the docs and of the answer

    @property
    def text(self) -> str:
        """The text of all claims, joined by spaces."""
        return " ".join(claim.text for claim in self.claims)

    def evidence_of(self, claim: Claim) -> str:
        """Return the text that a claim cites; the whole context for a claim without citation."""
        return "\n".join(self.context) if claim.evidence is None else claim.evidence


@dataclass(frozen=True, slots=True)
class Finding:
    """A problem in a draft: a stable reason code, its severity, and the affected text."""

    reason: CheckReason
    severity: Literal["hard", "soft"]
    detail: str = ""


@dataclass(frozen=True, slots=True)
class ValidationResult:
    """All findings of the validator chain; `checked` is false if the chain did not run."""

    findings: tuple[Finding, ...]
    checked: bool = True

    @property
    def passed(self) -> bool:
        """Whether there are no findings."""
        return not self.findings

    @property
    def reasons(self) -> tuple[CheckReason, ...]:
        """The distinct reasons, in order of their findings."""
        return tuple(dict.fromkeys(finding.reason for finding in self.findings))

    @property
    def verdict(self) -> bool | None:
        """Whether the draft passed; None if the chain did not run and there are no findings."""
        return self.passed if self.checked or self.findings else None

    @property
    def client_reasons(self) -> tuple[CheckReason | Literal["not_checked"], ...]:
        """The reasons for clients, with `not_checked` if the chain did not run."""
        return self.reasons if self.checked else (*self.reasons, "not_checked")


class Validator(Protocol):
    """Interface of a validator, which checks a draft without changing it."""

    def check(self, draft: Draft) -> Sequence[Finding]:
        """Return the findings; empty if the draft passes."""
        ...


class ValidatorChain:
    """A sequence of validators, which all run even if one of them has findings."""

    def __init__(self, validators: Sequence[Validator]) -> None:
        self.validators = tuple(validators)

    def run(self, draft: Draft) -> ValidationResult:
        """Return the findings of all validators, in order."""
        return ValidationResult(tuple(finding for one in self.validators for finding in one.check(draft)))


def must_fall_back(result: ValidationResult, strictness: Strictness) -> bool:
    """Return whether to replace the answer: strict on any finding, hybrid on a hard finding, permissive never."""
    if strictness == "permissive":
        return False
    return any(finding.severity == "hard" or strictness == "strict" for finding in result.findings)


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
        """Return one finding for each claim with low overlap."""
        return [
            Finding("low_overlap", "hard", claim.text)
            for claim in draft.claims
            if _overlap(claim.text, draft.evidence_of(claim)) < self.threshold
        ]


def _overlap(claim: str, evidence: str) -> float:
    """Return the share of a claim's distinct content terms that its evidence contains; 1 for a quotation."""
    if claim in evidence:  # includes quotations that consist of stop words ("No.")
        return 1.0
    wanted = set(content_terms(claim))
    return len(wanted & set(content_terms(evidence))) / len(wanted) if wanted else 1.0


class NumericUnitsBasic:
    """Validator that reports `unsupported_number` for a number that the evidence of its claim lacks."""

    def check(self, draft: Draft) -> Sequence[Finding]:
        """Return one finding for each unsupported number."""
        return [
            Finding("unsupported_number", "hard", number)
            for claim in draft.claims
            for number in unsupported_numbers(claim.text, draft.evidence_of(claim), draft.language)
        ]


class ConfidenceValidator:
    """Validator that compares the certainty of an answer with its context.

    By default, an answer without context must express uncertainty.
    """

    def __init__(self, require_uncertainty_when_no_context: bool = True) -> None:
        self.require_uncertainty_when_no_context = require_uncertainty_when_no_context

    def check(self, draft: Draft) -> Sequence[Finding]:
        """Return `missing_uncertainty_no_context` (hard) or, for generated text, `hedging` (soft).

        The docs may contain words such as *maybe*. Hedge words in quoted text are therefore allowed, and also in
        generated text if the context hedges.
        """
        text, confidence = draft.text, phrasing(draft.language).confidence
        if not draft.context:
            is_unsure = confidence.unsure.found_in(text) or not self.require_uncertainty_when_no_context
            # Phrases of uncertainty such as *not certain* do not count as certainty.
            if not is_unsure or confidence.certain.found_in(confidence.unsure.removed_from(text)):
                return [Finding("missing_uncertainty_no_context", "hard")]
            return []
        hedged = draft.composer == "llm" and confidence.hedges.found_in(text)
        if hedged and not any(confidence.hedges.found_in(passage) for passage in draft.context):
            return [Finding("hedging", "soft")]
        return []
