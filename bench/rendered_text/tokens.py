"""Split text into words and numbers: a number keeps its sign, decimals, thousands separators and exponent."""

import re
import unicodedata
from dataclasses import dataclass

from pincite_core.strip_invisible import strip_invisible

__all__ = ("Token", "cleaned", "tokens_of")

_SUPERSCRIPTS = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ", "0123456789+-=()ni", strict=True))
_SUBSCRIPTS = dict(zip("₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎", "0123456789+-=()", strict=True))
_RAISED = re.compile(f"[{''.join(_SUPERSCRIPTS)}]+")
_LOWERED = re.compile(f"[{''.join(_SUBSCRIPTS)}]+")
_SCRIPTS = "".join(_SUPERSCRIPTS) + "".join(_SUBSCRIPTS)
_PLAIN = re.compile(r"(?<=\d)\^(st|nd|rd|th|er|ère|e|º|ª|o|a)$|\^(TM|SM|R)$")  # ordinals and trade marks
_TOKEN = re.compile(
    r"(?:(?<![\w)\].])[-+](?=\d))?"  # a sign, but not the hyphen of a range
    rf"[\w{_SCRIPTS}]+(?:[.,]\d[\w{_SCRIPTS}]*)*"
    r"(?:[\^_](?:\{[^{}]*\}|\([^()]*\)|[-+]?\w+))*"
)


@dataclass(frozen=True, slots=True)
class Token:
    """Word or number, with its place in the text that it was read from."""

    text: str
    start: int


def cleaned(text: str) -> str:
    """Return a text in NFC, without invisible characters and the marks of code, and with one kind of minus sign."""
    bare = strip_invisible(text).replace("\xad", "").replace("`", "")
    return unicodedata.normalize("NFC", bare).replace("\u2212", "-")


def tokens_of(text: str) -> list[Token]:
    """Return the tokens of a cleaned text; superscripts and subscripts have one notation in all of them."""
    tokens = (Token(_with_scripts(found.group()), found.start()) for found in _TOKEN.finditer(text))
    return [token for token in tokens if token.text.strip("_")]


def _with_scripts(token: str) -> str:
    if token.isascii() and "^" not in token and "{" not in token and "(" not in token:
        return token
    token = _RAISED.sub(lambda found: "^" + "".join(_SUPERSCRIPTS[letter] for letter in found.group()), token)
    token = _LOWERED.sub(lambda found: "_" + "".join(_SUBSCRIPTS[letter] for letter in found.group()), token)
    return _PLAIN.sub(r"\1\2", re.sub(r"[(){}]", "", token).lstrip("^"))
