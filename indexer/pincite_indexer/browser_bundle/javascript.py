"""Translate Python regular expressions to JavaScript with the flag `u`.

In JavaScript, word classes and word boundaries only cover ASCII. An unnecessary backslash is an error.
"""

import re

__all__ = ("in_javascript",)

_WORD = r"\p{L}\p{N}_"
_BOUNDARY = f"(?:(?<=[{_WORD}])(?![{_WORD}])|(?<![{_WORD}])(?=[{_WORD}]))"
_OUTSIDE = {
    r"\w": f"[{_WORD}]",
    r"\W": f"[^{_WORD}]",
    r"\d": r"\p{Nd}",
    r"\D": r"\P{Nd}",
    r"\b": _BOUNDARY,
    r"\Z": r"(?![^])",
    "(?P<": "(?<",
    "(?-i:": "(?:",  # the group loses its case sensitivity
}
_INSIDE = {r"\w": _WORD, r"\d": r"\p{Nd}"}
_CLASS = re.compile(r"\[(\^?)(\]?(?:\\.|[^\]\\])*)\]", re.DOTALL)
_TOKEN = re.compile(rf"{_CLASS.pattern}|\\.|\(\?P<|\(\?-i:|\{{\d*,?\d*\}}|.", re.DOTALL)
_COUNT = re.compile(r"\{\d+(?:,\d*)?\}")
_SIGNS = frozenset("^$\\.*+?()[]{}|/")
_LETTERS = frozenset("nrtfvsSuxpPkBD0123456789")


def in_javascript(pattern: str) -> str:
    """Return a pattern of Python's `re` for JavaScript's `RegExp` with the flag `u`.

    Inline flags, atomic groups and conditions are not translated, because no table of Pincite uses them.
    """
    return "".join(_outside(match) for match in _TOKEN.finditer(pattern))


def _outside(match: re.Match[str]) -> str:
    token = match.group()
    if match.group(2) is not None:
        return _class(match.group(1) == "^", match.group(2))
    if token in _OUTSIDE:
        return _OUTSIDE[token]
    if token[0] == "{":
        return token if _COUNT.fullmatch(token) else token.replace("{", r"\{").replace("}", r"\}")
    if token == "}":
        return r"\}"
    return _escaped(token) if token[0] == "\\" else token


def _class(is_negated: bool, inside: str) -> str:
    """Return a character class; a class with the non-word escape becomes two alternatives."""
    tokens = re.findall(r"\\.|.", inside, re.DOTALL)
    rest = "".join(_inside(token) for token in tokens if token != r"\W")
    if r"\W" not in tokens:
        return f"[{'^' * is_negated}{rest}]"
    if is_negated:
        return f"(?:(?![{rest}])[{_WORD}])" if rest else f"[{_WORD}]"
    return f"(?:[^{_WORD}]|[{rest}])" if rest else f"[^{_WORD}]"


def _inside(token: str) -> str:
    if token in _INSIDE:
        return _INSIDE[token]
    if token == "[":
        return r"\["
    return token if token == r"\-" else _escaped(token) if token[0] == "\\" else token


def _escaped(token: str) -> str:
    sign = token[1]
    return token if sign in _SIGNS or sign in _LETTERS else sign
