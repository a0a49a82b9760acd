"""The safe answer that replaces one which failed: it holds no word of the failed text."""

from collections.abc import Sequence

from pincite_core.wording import Key, say
from pincite_server.guards.chain import ValidationResult
from pincite_server.reply.records import CheckReason

__all__ = ("FallbackHandler",)

_ALWAYS = "missing_uncertainty_no_context"
_WITHOUT_CONTEXT = frozenset({"missing_citation", "low_overlap"})


class FallbackHandler:
    """Decides by the triggers of the confidence and fallback design and writes the fallback in the reader's language.

    Args:
        corpus: What the docs are called, in the reader's language.
        built_on: ISO date of the index; "" when unknown.
    """

    def __init__(self, corpus: str, built_on: str) -> None:
        self._corpus = corpus
        self._built_on = built_on

    @staticmethod
    def is_triggered(result: ValidationResult, context_docs: Sequence[str]) -> bool:
        """Whether the findings are of the kind that no warning can mend."""
        reasons = set(result.reasons)
        return _ALWAYS in reasons or bool(not context_docs and reasons & _WITHOUT_CONTEXT)

    def get_fallback_answer(self, language: str, result: ValidationResult) -> str:
        """Return the fallback: that the docs do not hold enough, why, when they were read, and what to try."""
        reason = say(_reason_key(result), language)
        if self._built_on:
            return say("fallback", language, corpus=self._corpus, date=self._built_on, reason=reason)
        return say("fallback_undated", language, corpus=self._corpus, reason=reason)


def _reason_key(result: ValidationResult) -> Key:
    """Return the wording of the first finding that has one of its own; the others share one."""
    known: dict[CheckReason, Key] = {
        "missing_citation": "because_missing_citation",
        "low_overlap": "because_low_overlap",
        "unsupported_number": "because_unsupported_number",
        "missing_uncertainty_no_context": "because_no_context",
    }
    return next((known[reason] for reason in result.reasons if reason in known), "because_check_failed")
