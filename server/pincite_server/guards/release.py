"""Release decision of stage 4: runs the validators on a draft, computes the confidence score, and checks references."""

from collections.abc import Sequence
from dataclasses import dataclass

from pincite_core.index.read import Index
from pincite_core.rules import GUARDS
from pincite_core.urls import split_fragment
from pincite_server.guards.chain import Draft, Finding, ValidationResult, Validator, ValidatorChain, must_fall_back
from pincite_server.guards.fallback import FallbackHandler
from pincite_server.guards.validators import CitationRequired, ConfidenceValidator, EvidenceOverlap, NumericUnitsBasic
from pincite_server.policy import Policy
from pincite_server.reply.records import Citation, ValidationInfo

__all__ = (
    "GuardVerdict",
    "build_chain",
    "confidence_score",
    "guard_answer",
    "is_reference",
    "references_hold",
)

# From the design's table: the base depends on the number of context documents, and findings adjust it.
_MISSING_UNCERTAINTY = 0.1
_PENALTIES = {"missing_citation": 0.2, "low_overlap": 0.15}
_OTHER_PENALTY = 0.1


def confidence_score(context_docs_count: int, result: ValidationResult, likelihood: float | None = None) -> float:
    """Return the confidence score of an answer, 0 to 1, rounded to two decimals.

    Args:
        context_docs_count: The number of documents used for the answer.
        result: The findings of the validators.
        likelihood: The measured probability that a passing answer is useful. It replaces the table's value for several
            documents; None if not measured.
    """
    if context_docs_count == 0 and "missing_uncertainty_no_context" in result.reasons:
        return _MISSING_UNCERTAINTY
    several = GUARDS.several if likelihood is None else likelihood - GUARDS.passed
    base = GUARDS.no_context if context_docs_count == 0 else GUARDS.one_document if context_docs_count == 1 else several
    if result.passed:
        return round(min(1.0, base + (GUARDS.passed if result.checked else 0.0)), 2)
    return round(max(0.0, base - sum(_penalty(reason, context_docs_count) for reason in result.reasons)), 2)


def _penalty(reason: str, context_docs_count: int) -> float:
    if reason == "missing_citation" and context_docs_count == 0:
        return _OTHER_PENALTY
    return _PENALTIES.get(reason, _OTHER_PENALTY)


@dataclass(frozen=True, slots=True)
class GuardVerdict:
    """Verdict on a draft: release it, release it with a warning, or replace it with the fallback."""

    info: ValidationInfo
    result: ValidationResult
    warn: bool


def build_chain(policy: Policy) -> ValidatorChain:
    """Return the validators in the order of the confidence and fallback design."""
    validators: Sequence[Validator] = (
        CitationRequired(),
        EvidenceOverlap(policy.overlap_threshold),
        NumericUnitsBasic(),
        ConfidenceValidator(require_uncertainty_when_no_context=True),
    )
    return ValidatorChain(validators)


def guard_answer(
    draft: Draft,
    policy: Policy,
    extra_findings: Sequence[Finding] = (),
    likelihood: float | None = None,
) -> GuardVerdict:
    """Run the validators on a draft and decide on its release.

    Args:
        draft: The answer before release.
        policy: Strictness, thresholds, and whether validators run.
        extra_findings: Findings of the caller, such as an invalid reference.
        likelihood: The measured probability that the draft answers the question; see `confidence_score`.
    """
    if not policy.validators_enabled:
        unchecked = ValidationResult((), checked=False)
        return GuardVerdict(_info(draft, unchecked, likelihood, used_fallback=False), unchecked, warn=False)
    found = build_chain(policy).run(draft)
    result = ValidationResult((*found.findings, *extra_findings))
    falls_back = must_fall_back(result, policy.strictness) or FallbackHandler.is_triggered(result, draft.context)
    return GuardVerdict(
        _info(draft, result, likelihood, used_fallback=falls_back), result, warn=not result.passed and not falls_back
    )


def references_hold(index: Index, citations: Sequence[Citation]) -> list[Finding]:
    """Return a hard finding for every citation whose URL does not match a page and anchor of the index exactly."""
    urls = [citation.url for citation in citations if citation.url is not None]
    return [Finding("invalid_reference", "hard", url) for url in urls if not is_reference(index, url)]


def is_reference(index: Index, url: str) -> bool:
    """Return whether a URL leads to a page of the index and to an existing anchor on it."""
    landed = index.target_at(url)
    return landed is not None and landed.anchor == split_fragment(url)[1]


def _info(draft: Draft, result: ValidationResult, likelihood: float | None, *, used_fallback: bool) -> ValidationInfo:
    documents = len(draft.context)
    return ValidationInfo(
        passed=result.verdict,
        reasons=result.told,
        used_fallback=used_fallback,
        confidence_score=confidence_score(documents, result, likelihood),
        context_docs_count=documents,
    )
