"""Whether a translation keeps what no translation may change: numbers, code, addresses and names.

That it says the same cannot be told by comparing words; what it must not lose, add or alter can.
"""

import re
import unicodedata
from collections import Counter

from pincite_core.quoting.quantities import spelled_numbers_of
from pincite_core.search.languages import names_nouns, primary
from pincite_server.grounding.code_names import code_spans, without_code
from pincite_server.grounding.names import unsupported_names

__all__ = ("keeps_literals",)

_URL = re.compile(r"(?:[a-z][a-z0-9+.-]*://|www\.)[^\s<>\"'`)\]，。、]+", re.IGNORECASE)
_LOOSE = re.compile(  # code that is not set as code
    r"(?<![\w-])--?[A-Za-z][A-Za-z0-9-]*"  # flags
    r"|(?<![A-Za-z0-9])(?:[A-Za-z][A-Za-z0-9]*_[A-Za-z0-9_]+|[a-z]+[A-Z][A-Za-z0-9]*|v\d[\w.]*)"  # names, versions
    r"|(?<![A-Za-z0-9/])(?:\.{0,2}/)[A-Za-z0-9._-][A-Za-z0-9._/-]*"  # paths
)
_NUMBER = re.compile(r"\d+(?:[.,'\u066b\u066c]\d+|[\u00a0\u202f ]\d{3}(?!\d))*")
_BRACKETED = re.compile(r"[\[【]\s*\^?[\w-]*\d+\s*[\]】]")  # looks like a citation
_NAMED_INSIDE = re.compile(r"[A-Z\d_]")  # German spells any noun with a capital before it
_LONGEST, _SHORTEST = 4.0, 0.15  # times the original: a Chinese sentence has a quarter of an English one's characters
_SLACK = 40  # characters; "Yes." may take more than four times its length


def keeps_literals(original: str, translation: str, language: str) -> bool:
    """Whether a translation has the code, addresses, numbers and names of its original, and no others.

    Args:
        original: One sentence or list item, without markers.
        translation: The same in another language.
        language: BCP 47 tag of the original.
    """
    if not _SHORTEST * len(original) <= len(translation) <= _LONGEST * len(original) + _SLACK:
        return False
    if Counter(code_spans(original)) != Counter(code_spans(translation)):
        return False
    plain, other = without_code(original), without_code(translation)
    same = (_URL, _LOOSE, _BRACKETED)
    if any(Counter(kind.findall(plain)) != Counter(kind.findall(other)) for kind in same):
        return False
    return _keeps_numbers(_URL.sub(" ", plain), _URL.sub(" ", other)) and _keeps_names(plain, other, language)


def _keeps_numbers(original: str, translation: str) -> bool:
    """Whether all numbers in digits are there, and no others but those that the original spells."""
    wanted, found = _numbers(original), _numbers(translation)
    return not wanted - found and set(found - wanted) <= spelled_numbers_of(original)


def _numbers(text: str) -> Counter[str]:
    """Return the numbers of a text by their digits alone: 1,000 is 1.000 elsewhere, and ۱۰ is 10."""
    return Counter(
        "".join(str(unicodedata.digit(sign)) for sign in match if sign.isdigit()) for match in _NUMBER.findall(text)
    )


def _keeps_names(original: str, translation: str, language: str) -> bool:
    first, _, rest = original.strip().partition(" ")
    body = f"{first.lower()} {rest}" if first.istitle() else original
    names = unsupported_names(body, frozenset())
    if names_nouns(primary(language)):
        names = [name for name in names if _NAMED_INSIDE.search(name[1:])]
    held = translation.casefold()
    return all(name.casefold() in held for name in names)
