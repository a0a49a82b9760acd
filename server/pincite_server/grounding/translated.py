"""Translation checks: verify that a translation keeps the numbers, code, URLs and names of the original.

A comparison of words cannot verify the meaning of a translation, but it can verify these literals.
"""

import re
import unicodedata
from collections import Counter

from pincite_core.quoting.quantities import spelled_numbers_of
from pincite_core.search.languages import names_nouns, primary
from pincite_server.grounding.names import code_spans, unsupported_names, without_code

__all__ = ("keeps_literals",)

_URL = re.compile(r"(?:[a-z][a-z0-9+.-]*://|www\.)[^\s<>\"'`)\]，。、]+", re.IGNORECASE)
_LOOSE = re.compile(  # code outside code spans
    r"(?<![\w-])--?[A-Za-z][A-Za-z0-9-]*"  # flags
    r"|(?<![A-Za-z0-9])(?:[A-Za-z][A-Za-z0-9]*_[A-Za-z0-9_]+|[a-z]+[A-Z][A-Za-z0-9]*|v\d[\w.]*)"  # names, versions
    r"|(?<![A-Za-z0-9/])(?:\.{0,2}/)[A-Za-z0-9._-][A-Za-z0-9._/-]*"  # paths
)
_NUMBER = re.compile(r"\d+(?:[.,'\u066b\u066c]\d+|[\u00a0\u202f ]\d{3}(?!\d))*")
_BRACKETED = re.compile(r"[\[【]\s*\^?[\w-]*\d+\s*[\]】]")  # looks like a citation
_NAMED_INSIDE = re.compile(r"[A-Z\d_]")  # a mark of names after the first letter, which German capitalises in all nouns
_LONGEST, _SHORTEST = 4.0, 0.15  # ratio to the original; Chinese needs a quarter of the characters of English
_SLACK = 40  # characters; the translation of "Yes." may have more than four times the length


def keeps_literals(original: str, translation: str, language: str) -> bool:
    """Return whether a translation keeps all code, URLs, numbers and names, and adds no code, URLs or numbers.

    Both texts are one sentence or list item, without citation markers. `language` is that of the original.
    """
    if not _SHORTEST * len(original) <= len(translation) <= _LONGEST * len(original) + _SLACK:
        return False
    if Counter(code_spans(original)) != Counter(code_spans(translation)):
        return False
    plain, other = without_code(original), without_code(translation)
    same = (_URL, _LOOSE, _BRACKETED)
    if any(Counter(kind.findall(plain)) != Counter(kind.findall(other)) for kind in same):
        return False
    wanted, found = _numbers(_URL.sub(" ", plain)), _numbers(_URL.sub(" ", other))
    if wanted - found or not set(found - wanted) <= spelled_numbers_of(_URL.sub(" ", plain)):
        return False  # a translation may add only numbers that the original spells out
    first, _, rest = plain.strip().partition(" ")
    names = unsupported_names(f"{first.lower()} {rest}" if first.istitle() else plain, frozenset())
    if names_nouns(primary(language)):
        names = [name for name in names if _NAMED_INSIDE.search(name[1:])]
    return all(name.casefold() in other.casefold() for name in names)


def _numbers(text: str) -> Counter[str]:
    """Return the numbers of a text as ASCII digits without separators: 1,000 equals 1.000, and ۱۰ equals 10."""
    return Counter(
        "".join(str(unicodedata.digit(sign)) for sign in match if sign.isdigit()) for match in _NUMBER.findall(text)
    )
