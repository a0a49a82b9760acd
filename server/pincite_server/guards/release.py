"""Release decision of stage 4: validators, confidence score, fallback answer and references of a draft."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pincite_core.index.read import Index
from pincite_core.rules import GUARDS
from pincite_core.urls import split_fragment
from pincite_core.wording import Key, say
from pincite_server.guards.chain import (
    CitationRequired,
    ConfidenceValidator,
    Draft,
    EvidenceOverlap,
    Finding,
    NumericUnitsBasic,
    ValidationResult,
    ValidatorChain,
    must_fall_back,
)
from pincite_server.policy import Policy
from pincite_server.reply.records import CheckReason, Citation, ValidationInfo

__all__ = (
    "FallbackHandler",
    "GuardVerdict",
    "confidence_score",
    "guard_answer",
    "is_reference",
    "references_hold",
)

# From the design's table: the base depends on the number of context documents, and findings adjust it.
_MISSING_UNCERTAINTY = 0.1
_PENALTY = 0.1  # of a finding without a penalty of its own


def confidence_score(context_docs_count: int, result: ValidationResult, likelihood: float | None = None) -> float:
    """Return the confidence score of an answer, 0 to 1, rounded to two decimals.

    `likelihood` is the measured probability that a passing answer is useful; None if not measured. It replaces the
    table's value for several documents.
    """
    if context_docs_count == 0 and "missing_uncertainty_no_context" in result.reasons:
        return _MISSING_UNCERTAINTY
    several = GUARDS.several if likelihood is None else likelihood - GUARDS.passed
    base = GUARDS.no_context if context_docs_count == 0 else GUARDS.one_document if context_docs_count == 1 else several
    if result.passed:
        return round(min(1.0, base + (GUARDS.passed if result.checked else 0.0)), 2)
    penalties = {"missing_citation": 0.2 if context_docs_count else _PENALTY, "low_overlap": 0.15}
    return round(max(0.0, base - sum(penalties.get(reason, _PENALTY) for reason in result.reasons)), 2)


_REASONS: Mapping[CheckReason, Key] = {
    "missing_citation": "because_missing_citation",
    "low_overlap": "because_low_overlap",
    "unsupported_number": "because_unsupported_number",
    "missing_uncertainty_no_context": "because_no_context",
}


class FallbackHandler:
    """Applies the triggers of CONF-2, and formats the fallback in the reader's language.

    The fallback replaces a rejected answer and contains no text of it.
    """

    def __init__(self, corpus: str, built_on: str) -> None:
        self._corpus = corpus  # the name of the docs, in the reader's language
        self._built_on = built_on  # ISO date of the index; "" if unknown

    @staticmethod
    def is_triggered(result: ValidationResult, context_docs: Sequence[str]) -> bool:
        """Return whether the findings require a fallback instead of a warning."""
        triggers = {"missing_uncertainty_no_context"}
        if not context_docs:
            triggers |= {"missing_citation", "low_overlap"}
        return not triggers.isdisjoint(result.reasons)

    def get_fallback_answer(self, language: str, result: ValidationResult) -> str:
        """Return the fallback: insufficient docs, the reason, the date of the index, and suggestions."""
        key: Key = next((_REASONS[reason] for reason in result.reasons if reason in _REASONS), "because_check_failed")
        reason = say(key, language)
        if self._built_on:
            return say("fallback", language, corpus=self._corpus, date=self._built_on, reason=reason)
        return say("fallback_undated", language, corpus=self._corpus, reason=reason)


@dataclass(frozen=True, slots=True)
class GuardVerdict:
    """Verdict on a draft: release it, release it with a warning, or replace it with the fallback."""

    info: ValidationInfo
    result: ValidationResult
    warn: bool


def guard_answer(
    draft: Draft,
    policy: Policy,
    extra_findings: Sequence[Finding] = (),
    likelihood: float | None = None,
) -> GuardVerdict:
    """Run the validators on a draft and decide on its release, with the caller's findings (an invalid reference)."""
    result, falls_back = ValidationResult((), checked=False), False
    if policy.validators_enabled:
        # In their fixed order (GUARD-7).
        chain = ValidatorChain(
            [
                CitationRequired(),
                EvidenceOverlap(policy.overlap_threshold),
                NumericUnitsBasic(),
                ConfidenceValidator(require_uncertainty_when_no_context=True),
            ]
        )
        result = ValidationResult((*chain.run(draft).findings, *extra_findings))
        falls_back = must_fall_back(result, policy.strictness) or FallbackHandler.is_triggered(result, draft.context)
    info = ValidationInfo(
        passed=result.verdict,
        reasons=result.client_reasons,
        used_fallback=falls_back,
        confidence_score=confidence_score(len(draft.context), result, likelihood),
        context_docs_count=len(draft.context),
    )
    return GuardVerdict(info, result, warn=not result.passed and not falls_back)


def references_hold(index: Index, citations: Sequence[Citation]) -> list[Finding]:
    """Return a hard finding for every citation whose URL does not match a page and anchor of the index exactly."""
    urls = [citation.url for citation in citations if citation.url is not None]
    return [Finding("invalid_reference", "hard", url) for url in urls if not is_reference(index, url)]


def is_reference(index: Index, url: str) -> bool:
    """Return whether a URL leads to a page of the index and to an existing anchor on it."""
    landed = index.target_at(url)
    return landed is not None and landed.anchor == split_fragment(url)[1]
