"""The fallback answer, which replaces a rejected answer and contains no text of it."""

from collections.abc import Sequence

from pincite_core.wording import Key, say
from pincite_server.guards.chain import ValidationResult
from pincite_server.reply.records import CheckReason

__all__ = ("FallbackHandler",)

_ALWAYS = "missing_uncertainty_no_context"
_WITHOUT_CONTEXT = frozenset({"missing_citation", "low_overlap"})


class FallbackHandler:
    """Applies the triggers of CONF-2, and formats the fallback in the reader's language.

    Args:
        corpus: The name of the docs, in the reader's language.
        built_on: ISO date of the index; "" if unknown.
    """

    def __init__(self, corpus: str, built_on: str) -> None:
        self._corpus = corpus
        self._built_on = built_on

    @staticmethod
    def is_triggered(result: ValidationResult, context_docs: Sequence[str]) -> bool:
        """Return whether the findings require a fallback instead of a warning."""
        reasons = set(result.reasons)
        return _ALWAYS in reasons or bool(not context_docs and reasons & _WITHOUT_CONTEXT)

    def get_fallback_answer(self, language: str, result: ValidationResult) -> str:
        """Return the fallback: insufficient docs, the reason, the date of the index, and suggestions."""
        reason = say(_reason_key(result), language)
        if self._built_on:
            return say("fallback", language, corpus=self._corpus, date=self._built_on, reason=reason)
        return say("fallback_undated", language, corpus=self._corpus, reason=reason)


def _reason_key(result: ValidationResult) -> Key:
    """Return the message key of the first finding with a specific message, or the general key."""
    known: dict[CheckReason, Key] = {
        "missing_citation": "because_missing_citation",
        "low_overlap": "because_low_overlap",
        "unsupported_number": "because_unsupported_number",
        "missing_uncertainty_no_context": "because_no_context",
    }
    return next((known[reason] for reason in result.reasons if reason in known), "because_check_failed")
