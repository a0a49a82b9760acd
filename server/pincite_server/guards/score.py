"""The confidence score of the confidence and fallback design."""

from pincite_server.guards.chain import ValidationResult

__all__ = ("confidence_score",)

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
