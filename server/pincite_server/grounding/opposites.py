"""Negations and antonyms: finds negated words and opposite words in sentences."""

from collections.abc import Mapping, Set
from functools import cache

from pincite_core.phrasing import Phrases, phrasing
from pincite_core.search.languages import primary
from pincite_core.search.terms import terms
from pincite_server.grounding.stems import asserted_stems

__all__ = ("denied_beside", "is_negated", "negated_stems", "opposed", "opposites_of")

_REACH = 3  # words in the scope of a negation
_SIGNS = 6  # the same in characters, for scripts without spaces
_PREFIXES = {"un": 5, "non": 4, "anti": 4, "in": 5, "im": 5, "ir": 5, "il": 5, "dis": 6}
"""The minimum length of a word after an English negative prefix; `import` is not the opposite of `port`."""


@cache
def opposites_of(pairs: tuple[str, ...], language: str) -> Mapping[str, frozenset[str]]:
    """Return a mapping from each stem to its opposites, built from pairs of words."""
    found: dict[str, set[str]] = {}
    for pair in pairs:
        one, other = (next(iter(terms(word, language)), word) for word in pair.split())
        found.setdefault(one, set()).add(other)
        found.setdefault(other, set()).add(one)
    return {stem: frozenset(others) for stem, others in found.items()}


def is_negated(sentence: str, language: str = "en") -> bool:
    """Return whether a sentence contains a negation."""
    claims = phrasing(language).claims
    return claims.not_.found_in(sentence) or claims.nor.found_in(sentence)


def negated_stems(sentence: str, language: str = "en") -> frozenset[str]:
    """Return the stems in the scope of each negation of a sentence."""
    claims = phrasing(language).claims
    beside = (denied_beside(sentence, phrases, language) for phrases in (claims.not_, claims.nor))
    words = (" ".join(text.split()[:_REACH]) for texts in beside for text in texts)
    return frozenset(stem for text in words for stem in asserted_stems(text, language))


def denied_beside(text: str, negations: Phrases, language: str) -> list[str]:
    """Return, for each negation of a text, the text on the side that the negation applies to.

    If this is the side before the negation, the words are in reverse order, nearest first. In scripts without spaces
    the result is the last `_SIGNS` characters before the negation, in their original order.
    """
    table = phrasing(language)
    if table.negated == "after":
        return [text[match.end() :] for match in negations.spans_in(text)]
    if table.bounds == "none":
        return [text[max(0, match.start() - _SIGNS) : match.start()] for match in negations.spans_in(text)]
    return [" ".join(reversed(text[: match.end()].split())) for match in negations.spans_in(text)]


def opposed(stems: Set[str], held: Set[str], language: str = "en") -> list[str]:
    """Return the stems that are not in `held` but whose opposite is: `disable` if `held` has `enable`."""
    pairs = phrasing(language).claims.opposites
    opposites = opposites_of((*pairs.both, *pairs.passages), language)
    prefixes = _PREFIXES if primary(language) == "en" else {}

    def has_opposite(stem: str) -> bool:
        return not opposites.get(stem, frozenset()).isdisjoint(held) or any(
            (len(stem) >= letters and prefix + stem in held)
            or (stem.startswith(prefix) and len(stem) - len(prefix) >= letters and stem[len(prefix) :] in held)
            for prefix, letters in prefixes.items()
        )

    return sorted(stem for stem in stems if stem not in held and has_opposite(stem))
