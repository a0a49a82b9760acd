"""Confidence: an answer without context must say that it does not know; hedging is noted, not hidden.

Patterns are those of the confidence and fallback design, in English, Vietnamese and Chinese.
"""

import re
from collections.abc import Sequence

from pincite_server.guards.chain import Draft, Finding

__all__ = ("ConfidenceValidator", "expresses_uncertainty", "hedges", "is_overconfident")

_UNCERTAINTY = re.compile(
    "|".join(
        (
            r"\bI (?:don['’]t|do not) know\b",
            r"\bI(?:['’]m| am) (?:not (?:certain|sure)|uncertain|unsure)\b",
            r"\bI (?:cannot|can['’]t|can not) (?:answer|say|tell|confirm|determine)\b",
            r"\bI (?:don['’]t|do not) have (?:enough |sufficient |any )?(?:information|context|evidence)\b",
            r"\b(?:not enough|insufficient|no) (?:information|context|evidence)\b",
            r"\bI couldn['’]t find\b",
            r"không biết",
            r"không (?:có )?đủ thông tin",
            r"không có (?:đủ )?thông tin",
            r"không thể trả lời",
            r"không chắc(?: chắn)?",
            r"chưa (?:rõ|chắc|biết)",
            r"不知道",
            r"不(?:太)?确定",
            r"不確定",
            r"无法(?:回答|确定)",
            r"無法(?:回答|確定)",
            r"没有(?:足够的?)?信息",
            r"信息不足",
            r"不清楚",
        )
    ),
    re.IGNORECASE,
)
_OVERCONFIDENCE = re.compile(
    "|".join(
        (
            r"\b(?:definitely|absolutely|undoubtedly|certainly|unquestionably)\b",
            r"\b(?:without (?:a|any) doubt|100 ?% (?:sure|certain)|guaranteed|there is no doubt)\b",
            r"chắc chắn(?: 100 ?%)?",
            r"hoàn toàn (?:chính xác|đúng)",
            r"không nghi ngờ gì",
            r"(?:绝对|肯定|一定|毫无疑问|百分之百|絕對|毫無疑問)",
        )
    ),
    re.IGNORECASE,
)
_HEDGE = re.compile(
    "|".join(
        (
            r"\b(?:I think|I believe|I guess|maybe|perhaps|possibly|probably|unclear|presumably)\b",
            r"\b(?:có lẽ|có thể là|hình như|tôi nghĩ)\b",
            r"(?:也许|可能|大概|或许|我认为|我想|也許|或許)",
        )
    ),
    re.IGNORECASE,
)


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
            return self._check_without_context(draft.text)
        if draft.composer == "llm" and hedges(draft.text) and not any(map(hedges, draft.context)):
            return [Finding("hedging", "soft")]
        return []

    def _check_without_context(self, text: str) -> Sequence[Finding]:
        unsure = expresses_uncertainty(text)
        if is_overconfident(text) or (self.require_uncertainty_when_no_context and not unsure):
            return [Finding("missing_uncertainty_no_context", "hard")]
        return []


def expresses_uncertainty(text: str) -> bool:
    """Whether a text says that its writer does not know."""
    return bool(_UNCERTAINTY.search(text))


def is_overconfident(text: str) -> bool:
    """Whether a text insists on its certainty, other than by saying that it is *not* certain."""
    return bool(_OVERCONFIDENCE.search(_UNCERTAINTY.sub("", text)))


def hedges(text: str) -> bool:
    """Whether a text holds words of doubt."""
    return bool(_HEDGE.search(text))
