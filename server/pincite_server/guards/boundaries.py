"""What a docs assistant must not pretend to: write code for the reader, or know what is happening right now.

Only requests to act are caught. "How do I create a plugin?" is what docs are for; "write me a plugin" is not.
"""

import re
from collections.abc import Sequence
from typing import Literal

from pincite_core.search.terms import terms

__all__ = ("Boundary", "crossed_boundary")

Boundary = Literal["code", "realtime", "blocked_topic"]

_POLITE = (
    r"^\W*(?:(?:hey|hi|hello|ok|okay|please|pls|now|so)[\s,!]+)*"
    r"(?:(?:can|could|would|will) you (?:please |kindly )?|you (?:must|should|have to) |i (?:want|need) you to )?"
    r"(?:please )?(?:just )?(?:go ahead and )?"
)
_ACT = r"(?:write|generate|create|build|implement|code|make|develop|produce|program|draft)"
_PRODUCT = (
    r"(?:code|codes|script|scripts|program|programme|implementation|function|class|component|app|application|snippet"
    r"|module|reducer|test suite|config|configuration|file|website|bot)"
)
_CODE_REQUEST = re.compile(
    rf"{_POLITE}(?:"
    rf"{_ACT} (?:me|us)\b"
    rf"|(?:write|generate|produce|draft) (?:(?:the|some|a|an|my|full|complete|entire|working) )*"
    rf"(?:\w+ ){{0,2}}{_PRODUCT} (?:for|that|to|which|of|in)\b"
    rf"|{_ACT} .{{1,80}} for (?:me|us)\b"
    rf"|give me (?:the |some |a )?(?:full |complete |entire |working )*(?:code|script|program|implementation)\b"
    rf"|do my \w+"
    rf")",
    re.IGNORECASE,
)
_CODE_REQUEST_OTHERS = re.compile(
    r"^(?:hãy |làm ơn )?viết (?:cho tôi|giúp tôi|giùm tôi)"
    r"|^请?(?:帮|给|替)我(?:写|编写|生成|实现)"
    r"|^schreib(?:e)? mir\b|^(?:écris|écrivez)[- ]moi\b|^escríbeme\b"
    r"|(?:コード|プログラム|スクリプト)を書いて(?:ください|くれ|$)|برایم .{0,30}بنویس",
    re.IGNORECASE,
)
_REALTIME = re.compile(
    r"\b(?:current|today['’]?s|latest|live|real[- ]time)\s+(?:\w+\s+){0,2}"
    r"(?:price|weather|forecast|score|stock price|exchange rate|headlines|share price)\b"
    r"|\b(?:weather|forecast|headlines|stock market)\b.{0,40}\b(?:today|tonight|tomorrow|right now|now)\b"
    r"|\bis \S+ (?:down|offline|having an outage) (?:right now|today|now|at the moment)\b"
    r"|\bwhat(?:['’]s| is) (?:the )?(?:time|date|day) (?:is it )?(?:today|now|right now)\b"
    r"|\bwhat (?:time|day|date) is it\b",
    re.IGNORECASE,
)


def crossed_boundary(query: str, blocked_topics: Sequence[str] = ()) -> Boundary | None:
    """Return the boundary that a question crosses, if any.

    Args:
        query: The question as asked.
        blocked_topics: The operator's words for what the site is not about; each may be several words.
    """
    if _CODE_REQUEST.search(query) or _CODE_REQUEST_OTHERS.search(query.strip()):
        return "code"
    if _REALTIME.search(query):
        return "realtime"
    asked = f" {' '.join(terms(query))} "
    blocked = (f" {' '.join(terms(topic))} " for topic in blocked_topics)
    return "blocked_topic" if any(topic.strip() and topic in asked for topic in blocked) else None
