"""Literal checks of code in a sentence: identifiers, flags, paths and URLs must occur in the docs unchanged."""

import re

from pincite_server.grounding.evidence import plain_text

__all__ = ("CONSTANTS", "code_spans", "missing_code", "missing_literals", "without_code")

_SPAN = re.compile(r"`+([^`]+)`+")
_FLAG = re.compile(r"(?<![\w-])--?[A-Za-z][\w-]*")
_IDENTIFIER = re.compile(r"[^\W\d][\w$]*|\d+(?:\.\d+)*")
_COMPOUND = re.compile(r"[\w@]+(?:-\w+)+")
_VERSION = re.compile(r"\bv\d+(?:\.\w+)*")
_URL = re.compile(r"(?:[a-z][a-z0-9+.-]*://|www\.)[^\s<>\"'`)\]]+", re.IGNORECASE)
_TRAILING = ".,;:!?"
CONSTANTS = frozenset("true false null none nil undefined yes no on off 0 1".split())
"""Common values of settings, in lower case."""


def code_spans(sentence: str) -> list[str]:
    """Return the code spans of a sentence, without backticks."""
    return [match.group(1).strip() for match in _SPAN.finditer(sentence)]


def without_code(sentence: str) -> str:
    """Return a sentence with each code span replaced by the letter x."""
    return _SPAN.sub("x", sentence)


def missing_code(span: str, text: str) -> list[str]:
    """Return the parts of a code span that a text lacks.

    If the text contains the whole code unchanged, no part is missing. Otherwise the text must contain each identifier,
    flag and hyphenated name: `failover.application` may be two keys of a listing.

    Args:
        span: Code without backticks.
        text: A result of `plain_text`.
    """
    wanted = plain_text(span)
    if _stands_in(wanted, text) or _stands_in(wanted.rstrip("()"), text):
        return []
    flags, rest = _FLAG.findall(span), _FLAG.sub(" ", span)
    whole = [*(flag.lower() for flag in flags), *(name.lower() for name in _COMPOUND.findall(rest))]
    held = set(_IDENTIFIER.findall(text))
    missing = [name for name in whole if not _stands_in(name, text)]
    return missing + [name for name in _IDENTIFIER.findall(_COMPOUND.sub(" ", rest).lower()) if name not in held]


def missing_literals(sentence: str, text: str) -> list[str]:
    """Return the code, versions (`v7`) and URLs of a sentence that `text`, a result of `plain_text`, lacks."""
    found = [part for span in code_spans(sentence) for part in missing_code(span, text)]
    loose = [*_VERSION.findall(sentence), *(url.rstrip(_TRAILING) for url in _URL.findall(sentence))]
    return found + [part for part in loose if part.lower() not in text]


def _stands_in(code: str, text: str) -> bool:
    """Return whether a text contains code unchanged, and not as part of a longer name or flag."""
    before = r"(?<![\w-])" if re.match(r"[\w-]", code) else ""
    after = r"(?![\w-])" if re.search(r"[\w-]$", code) else ""
    return bool(code) and re.search(f"{before}{re.escape(code)}{after}", text) is not None
