"""Words that turn a statement round: negations, and words against their opposites."""

from collections.abc import Iterable, Mapping, Set
from functools import cache

from pincite_core.phrasing import Phrases, phrasing
from pincite_core.search.languages import primary
from pincite_core.search.terms import terms
from pincite_server.grounding.stems import asserted_stems

__all__ = ("denied_beside", "is_negated", "negated_stems", "opposed", "opposites_of")

_REACH = 3  # words that a negation turns round
_SIGNS = 6  # the same, where no blanks part words
_PREFIXES = {"un": 5, "non": 4, "anti": 4, "in": 5, "im": 5, "ir": 5, "il": 5, "dis": 6}
"""In English, how many letters must be left for a prefix to be one: `import` is not the opposite of `port`."""


def opposites_of(pairs: Iterable[str], language: str) -> Mapping[str, frozenset[str]]:
    """Return the opposites of each stem, of pairs of words."""
    found: dict[str, set[str]] = {}
    for pair in pairs:
        one, other = (next(iter(terms(word, language)), word) for word in pair.split())
        found.setdefault(one, set()).add(other)
        found.setdefault(other, set()).add(one)
    return {stem: frozenset(others) for stem, others in found.items()}


def is_negated(sentence: str, language: str = "en") -> bool:
    """Whether a sentence says that something is not so."""
    claims = phrasing(language).claims
    return claims.not_.found_in(sentence) or claims.nor.found_in(sentence)


def negated_stems(sentence: str, language: str = "en") -> frozenset[str]:
    """Return the stems of the few words beside each negation of a sentence: what it says is not so."""
    claims = phrasing(language).claims
    beside = (denied_beside(sentence, phrases, language) for phrases in (claims.not_, claims.nor))
    words = (" ".join(text.split()[:_REACH]) for texts in beside for text in texts)
    return frozenset(stem for text in words for stem in asserted_stems(text, language))


def denied_beside(text: str, negations: Phrases, language: str) -> list[str]:
    """Return what stands on that side of each negation of a text which it denies, the nearest word first."""
    table = phrasing(language)
    if table.negated == "after":
        return [text[match.end() :] for match in negations.spans_in(text)]
    if table.bounds == "none":
        return [text[max(0, match.start() - _SIGNS) : match.start()] for match in negations.spans_in(text)]
    return [" ".join(reversed(text[: match.end()].split())) for match in negations.spans_in(text)]


def opposed(stems: Set[str], held: Set[str], language: str = "en") -> list[str]:
    """Return the stems that are not held but whose opposites are: `disable` where `enable` is held."""
    opposites = _opposites(language)
    prefixes = _PREFIXES if primary(language) == "en" else {}
    return sorted(stem for stem in stems if stem not in held and _has_opposite(stem, held, opposites, prefixes))


@cache
def _opposites(language: str) -> Mapping[str, frozenset[str]]:
    pairs = phrasing(language).claims.opposites
    return opposites_of((*pairs.both, *pairs.passages), language)


def _has_opposite(
    stem: str, held: Set[str], opposites: Mapping[str, frozenset[str]], prefixes: Mapping[str, int]
) -> bool:
    if not opposites.get(stem, frozenset()).isdisjoint(held):
        return True
    return any(
        (len(stem) >= letters and prefix + stem in held)
        or (stem.startswith(prefix) and len(stem) - len(prefix) >= letters and stem[len(prefix) :] in held)
        for prefix, letters in prefixes.items()
    )
