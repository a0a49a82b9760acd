"""Write raised and lowered text in Unicode where it has such characters, and with `^` and `_` elsewhere."""

import re

__all__ = ("lowered", "raised")

_RAISED = str.maketrans("0123456789+-\u2212=()ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱ")
_LOWERED = str.maketrans("0123456789+-\u2212=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎")
_HAS_RAISED = re.compile(r"[0-9+\-−=()ni]+")
_HAS_LOWERED = re.compile(r"[0-9+\-−=()]+")
_ORDINAL = re.compile(r"(?:st|nd|rd|th|er|re|e|o|a|os|as)\.?", re.IGNORECASE)  # 1st, 2e, 3o
_TRADE = re.compile(r"TM|SM|R", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]{3,}")  # a word above the line is a remark, such as "beta", and not an exponent
_ENDS_IN_WORD = re.compile(r"[^\W\d_]{3}$")
_ONE_NAME = re.compile(r"\w+")
_ENDS_IN_DIGIT = re.compile(r"\d$")


def raised(text: str, before: str = "") -> str:
    """Return the text of a superscript, for example `⁶`, `^(10+k)` or ` beta`; `before` is the text that it follows.

    Ordinals, such as 2nd, and signs, such as * and ®, stay as they are.
    """
    if not any(map(str.isalnum, text)):
        return text
    if text.startswith("["):  # a reference to a source
        return f" {text}"
    if (_ENDS_IN_DIGIT.search(before) and _ORDINAL.fullmatch(text)) or (before and _TRADE.fullmatch(text)):
        return text
    if _HAS_RAISED.fullmatch(text.replace(" ", "")):
        return text.replace(" ", "").translate(_RAISED)
    if _WORD.match(text) and (_ENDS_IN_WORD.search(before) or not before.strip()):
        return f" {text}" if before.strip() else text
    return f"^{_grouped(text)}"


def lowered(text: str) -> str:
    """Return the text of a subscript, for example `₂` or `_max`."""
    if not any(map(str.isalnum, text)):
        return text
    if _HAS_LOWERED.fullmatch(text.replace(" ", "")):
        return text.replace(" ", "").translate(_LOWERED)
    return f"_{_grouped(text)}"


def _grouped(text: str) -> str:
    return text if _ONE_NAME.fullmatch(text) else f"({text})"
