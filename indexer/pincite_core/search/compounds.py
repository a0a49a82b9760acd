"""Compounds: words that are written as one and made of several, as Germanic languages and Finnish write them.

No dictionary is at hand that could be shipped, but what a site writes by itself is one: `Sicherungskopie` is made of
`Sicherung` and `Kopie` where the site has both. And there are endings that a linking s follows inside no simple word
(`ung` in German): they part a word whose parts the site never writes alone.
"""

import re
from collections.abc import Container, Iterator, Set
from functools import lru_cache

from pincite_core.search.languages import primary, stem
from pincite_core.search.terms import terms

__all__ = ("LINKS", "compound_parts", "held_terms", "is_compounding", "known_parts", "possible_parts")

LINKS = {
    "de": ("es", "en", "er", "s", "n", "e"),
    "nl": ("en", "er", "s", "n", "e"),
    "sv": ("s",),
    "da": ("s", "e"),
    "no": ("s", "e"),
    "fi": ("n",),
}
"""What may stand between two parts; often nothing does."""

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
_SHORTEST = 4  # letters of a part: shorter ones are endings too often (Benutz-er, Datei-en)
_SHORTEST_FIRST = 3  # Web-Seite, where the site knows the word
_SHORTEST_WORD, _LONGEST_WORD = 7, 40
_MOST_PARTS = 5
_MOST_REMEMBERED = 1024  # texts, some 1 MB: the sections of a smaller site are met again and again


def is_compounding(language: str) -> bool:
    """Whether a language, by its primary tag, writes compounds as one word."""
    return language in LINKS


def compound_parts(word: str, language: str, known: Container[str]) -> tuple[str, ...]:
    """Return what a word in lower case is made of, in order; nothing for one that is no compound.

    A part that is a compound as well is followed by its own parts.

    Args:
        word: The word, or its stem.
        language: Primary tag.
        known: Words that the site writes by themselves, and their stems.
    """
    found = known_parts(word, language, known) or _linked(word, language)
    return tuple(part for outer in found for part in (outer, *compound_parts(outer, language, known)))


def known_parts(word: str, language: str, known: Container[str]) -> tuple[str, ...]:
    """Return the known words that make up a word (`compound_parts`), as few as can be; nothing where none do."""
    return _fewest(word, language, known, _MOST_PARTS) if _may_be_one(word, language) else ()


def possible_parts(word: str, language: str) -> Iterator[str]:
    """Yield whatever a word may be made of, by which to ask what of it is known."""
    if _may_be_one(word, language):
        for start in range(len(word) - _SHORTEST + 1):
            for end in range(start + (_SHORTEST if start else _SHORTEST_FIRST), len(word) + 1):
                yield word[start:end]


def held_terms(text: str, asked: Set[str], language: str) -> frozenset[str]:
    """Return which of a question's terms a text of the docs holds, be it at the beginning or the end of a compound.

    Args:
        text: A text of the docs.
        asked: Terms.
        language: BCP 47 tag.
    """
    said = _said(text, language)
    if not is_compounding(primary(language)):
        return said & asked
    return frozenset(term for term in asked if term in said or any(_begins_or_ends(word, term) for word in said))


@lru_cache(maxsize=_MOST_REMEMBERED)
def _said(text: str, language: str) -> frozenset[str]:
    return frozenset(terms(text, language))


def _begins_or_ends(word: str, term: str) -> bool:
    is_longer = len(term) >= _SHORTEST and len(word) >= len(term) + _SHORTEST_FIRST
    return is_longer and (word.startswith(term) or word.endswith(term))


def _may_be_one(word: str, language: str) -> bool:
    return language in LINKS and _SHORTEST_WORD <= len(word) <= _LONGEST_WORD and word.isalpha()


def _fewest(word: str, language: str, known: Container[str], most: int) -> tuple[str, ...]:
    """Return up to `most` known words that make up a word; of equally many those with the longest first one."""
    best: tuple[str, ...] = ()
    for end in range(len(word) - _SHORTEST, _SHORTEST_FIRST - 1, -1):
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
    """Return a word in two behind the last ending that a linking s follows."""
    is_one = language in _LINKED and _may_be_one(word, language)
    ends = [found.end() for found in _LINKED[language].finditer(word)] if is_one else []
    return (word[: ends[-1]], word[ends[-1] + 1 :]) if ends else ()
