"""Stage 4 put together: the chain of validators, its verdict, and the confidence score."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pincite_core.index.read import Index
from pincite_server.guards.chain import Draft, Finding, ValidationResult, Validator, ValidatorChain, must_fall_back
from pincite_server.guards.citation import CitationRequired
from pincite_server.guards.confidence import ConfidenceValidator
from pincite_server.guards.fallback import FallbackHandler
from pincite_server.guards.hooks import SiteGuard
from pincite_server.guards.numbers import NumericUnitsBasic
from pincite_server.guards.overlap import EvidenceOverlap
from pincite_server.guards.references import validate_reference
from pincite_server.guards.score import confidence_score
from pincite_server.policy import Policy
from pincite_server.reply.records import Citation, ValidationInfo

__all__ = ("GuardVerdict", "build_chain", "guard_answer", "references_hold")


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
