"""Compound splitting (decompounding) for Germanic languages and Finnish.

No dictionary could be shipped, so the vocabulary of the site serves as one. `Sicherungskopie` is split into
`Sicherung` and `Kopie` if the site contains both words. If the site contains neither part, certain suffixes mark the
split: in German, a linking s after `ung` occurs only inside compounds.
"""

import re
from collections.abc import Container, Iterator

from pincite_core.rules import SPELLING
from pincite_core.search.languages import stem

__all__ = ("LINKS", "compound_parts", "is_compounding", "known_parts", "possible_parts")

LINKS = {
    "de": ("es", "en", "er", "s", "n", "e"),
    "nl": ("en", "er", "s", "n", "e"),
    "sv": ("s",),
    "da": ("s", "e"),
    "no": ("s", "e"),
    "fi": ("n",),
}
"""Linking elements that may join two parts, by language; many compounds have none."""

_LINKED = {
    language: re.compile(rf"(?<=...)(?:{endings})(?=s....)")
    for language, endings in {
        "de": "ung|heit|keit|schaft|ion|tät|ling",
        "nl": "ing|heid|teit",
        "sv": "ing|het|ion|skap",
        "da": "ing|hed|ion|skab",
        "no": "ing|het|sjon|skap",
    }.items()
}


def is_compounding(language: str) -> bool:
    """Return whether a language (primary tag) writes compounds as one word."""
    return language in LINKS


def compound_parts(word: str, language: str, known: Container[str]) -> tuple[str, ...]:
    """Return the parts of a compound, in order; an empty tuple if the word is not a compound.

    If a part is itself a compound, its own parts follow it.

    Args:
        word: The word or its stem, in lower case.
        language: Primary tag.
        known: The words that occur on their own on the site, and their stems.
    """
    found = known_parts(word, language, known) or _linked(word, language)
    return tuple(part for outer in found for part in (outer, *compound_parts(outer, language, known)))


def known_parts(word: str, language: str, known: Container[str]) -> tuple[str, ...]:
    """Split a compound into the fewest known words; return an empty tuple if no split exists (`compound_parts`)."""
    return _fewest(word, language, known, SPELLING.most_parts) if _may_be_one(word, language) else ()


def possible_parts(word: str, language: str) -> Iterator[str]:
    """Yield every substring of a word that could be a part of a compound, for a lookup in the vocabulary."""
    if _may_be_one(word, language):
        for start in range(len(word) - SPELLING.shortest_part + 1):
            for end in range(start + (SPELLING.shortest_part if start else SPELLING.shortest_first), len(word) + 1):
                yield word[start:end]


def _may_be_one(word: str, language: str) -> bool:
    return language in LINKS and SPELLING.shortest_word <= len(word) <= SPELLING.longest_word and word.isalpha()


def _fewest(word: str, language: str, known: Container[str], most: int) -> tuple[str, ...]:
    """Split a word into at most `most` known words, as few as possible; ties go to the longest first part."""
    best: tuple[str, ...] = ()
    for end in range(len(word) - SPELLING.shortest_part, SPELLING.shortest_first - 1, -1):
        first, rest = _without_link(word[:end], language, known), word[end:]
        if not first:
            continue
        if rest in known or stem(rest, language) in known:
            return first, rest
        others = _fewest(rest, language, known, most - 1) if most > 2 else ()
        if others and (not best or len(others) + 1 < len(best)):
            best = (first, *others)
    return best


def _without_link(first: str, language: str, known: Container[str]) -> str:
    bare = (first.removesuffix(link) for link in ("", *LINKS[language]) if first.endswith(link))
    return next((word for word in bare if word in known), "")


def _linked(word: str, language: str) -> tuple[str, ...]:
    """Split a word in two after the last suffix that a linking s follows; return an empty tuple if there is none."""
    is_one = language in _LINKED and _may_be_one(word, language)
    ends = [found.end() for found in _LINKED[language].finditer(word)] if is_one else []
    return (word[: ends[-1]], word[ends[-1] + 1 :]) if ends else ()
