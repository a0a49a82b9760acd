"""Stage 4 put together: the chain of validators, its verdict on a draft, the confidence score, and known references."""

import difflib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from pincite_core.index.read import Index
from pincite_core.types import Page, Target
from pincite_core.urls import join_fragment, split_fragment
from pincite_server.guards.chain import Draft, Finding, ValidationResult, Validator, ValidatorChain, must_fall_back
from pincite_server.guards.confidence import ConfidenceValidator
from pincite_server.guards.fallback import FallbackHandler
from pincite_server.guards.hooks import SiteGuard
from pincite_server.guards.numbers import NumericUnitsBasic
from pincite_server.guards.validators import CitationRequired, EvidenceOverlap
from pincite_server.policy import Policy
from pincite_server.reply.records import Citation, ValidationInfo

__all__ = (
    "CheckedReference",
    "GuardVerdict",
    "build_chain",
    "confidence_score",
    "guard_answer",
    "references_hold",
    "validate_reference",
)

# Base by number of context documents, then adjustments by what the validators found; the design's table.
_NO_CONTEXT, _ONE_DOCUMENT, _SEVERAL = 0.2, 0.5, 0.8
_PASSED = 0.1
_MISSING_UNCERTAINTY = 0.1
_PENALTIES = {"missing_citation": 0.2, "low_overlap": 0.15}
_OTHER_PENALTY = 0.1


def confidence_score(context_docs_count: int, result: ValidationResult) -> float:
    """Return the score, 0 to 1, rounded to two decimals."""
    if context_docs_count == 0 and "missing_uncertainty_no_context" in result.reasons:
        return _MISSING_UNCERTAINTY
    base = _NO_CONTEXT if context_docs_count == 0 else _ONE_DOCUMENT if context_docs_count == 1 else _SEVERAL
    if result.passed:
        return round(min(1.0, base + _PASSED), 2)
    return round(max(0.0, base - sum(_penalty(reason, context_docs_count) for reason in result.reasons)), 2)


def _penalty(reason: str, context_docs_count: int) -> float:
    if reason == "missing_citation" and context_docs_count == 0:
        return _OTHER_PENALTY
    return _PENALTIES.get(reason, _OTHER_PENALTY)


ReferenceStatus = Literal["valid", "corrected", "page", "unknown"]

_CLOSE_ENOUGH = 0.75  # difflib ratio: a renamed or mistyped anchor, not another one that shares a word


@dataclass(frozen=True, slots=True)
class CheckedReference:
    """What became of a URL: `valid`; `corrected` to the nearest anchor or `page`; `unknown`, with no URL at all."""

    status: ReferenceStatus
    url: str | None
    target: Target | None


def validate_reference(index: Index, url: str) -> CheckedReference:
    """Return the URL as the index knows it.

    An unknown fragment becomes the page's target whose anchor is nearest in spelling, or the page itself; a page that
    the index does not have is `unknown`.
    """
    page = index.page_at(url)
    if page is None:
        return CheckedReference("unknown", None, None)
    anchor = split_fragment(url)[1]
    landed = index.target_at(url)
    if landed is not None and landed.anchor == anchor:
        return _reference("valid", page, landed)
    targets = {target.anchor: target for target in index.targets_of_page(page.page_id)}
    close = difflib.get_close_matches(anchor, [name for name in targets if name], n=1, cutoff=_CLOSE_ENOUGH)
    if close:
        return _reference("corrected", page, targets[close[0]])
    return CheckedReference("page", page.url, targets.get(""))


def _reference(status: ReferenceStatus, page: Page, target: Target) -> CheckedReference:
    return CheckedReference(status, join_fragment(page.url, target.anchor), target)


@dataclass(frozen=True, slots=True)
class GuardVerdict:
    """What becomes of a draft: released, released with a warning, or replaced by the fallback."""

    info: ValidationInfo
    result: ValidationResult
    warn: bool


def build_chain(policy: Policy, site_guard: Callable[[str], str | None] | None = None) -> ValidatorChain:
    """Return the validators in the order of the confidence and fallback design."""
    validators: Sequence[Validator] = (
        CitationRequired(),
        EvidenceOverlap(policy.overlap_threshold),
        NumericUnitsBasic(),
        ConfidenceValidator(require_uncertainty_when_no_context=True),
        SiteGuard(site_guard),
    )
    return ValidatorChain(validators)


def guard_answer(
    draft: Draft,
    policy: Policy,
    extra_findings: Sequence[Finding] = (),
    site_guard: Callable[[str], str | None] | None = None,
) -> GuardVerdict:
    """Check a whole draft.

    Args:
        draft: The answer before it is released.
        policy: Strictness, thresholds and whether validators run at all.
        extra_findings: What the caller found itself, such as a reference that does not hold.
        site_guard: The site's own check.
    """
    if not policy.validators_enabled:
        clean = ValidationResult(())
        return GuardVerdict(_info(draft, clean, used_fallback=False), clean, warn=False)
    found = build_chain(policy, site_guard).run(draft)
    result = ValidationResult((*found.findings, *extra_findings))
    falls_back = must_fall_back(result, policy.strictness) or FallbackHandler.is_triggered(result, draft.context)
    return GuardVerdict(_info(draft, result, falls_back), result, warn=not result.passed and not falls_back)


def references_hold(index: Index, citations: Sequence[Citation]) -> list[Finding]:
    """Return a hard finding for every citation whose URL the index does not know exactly as it is."""
    urls = [citation.url for citation in citations if citation.url is not None]
    return [
        Finding("invalid_reference", "hard", url) for url in urls if validate_reference(index, url).status != "valid"
    ]


def _info(draft: Draft, result: ValidationResult, used_fallback: bool) -> ValidationInfo:
    documents = len(draft.context)
    return ValidationInfo(
        passed=result.passed,
        reasons=result.reasons,
        used_fallback=used_fallback,
        confidence_score=confidence_score(documents, result),
        context_docs_count=documents,
    )
