"""Learning suggestions: the topics of a question that the docs do not seem to hold."""

from collections.abc import Mapping

from pincite_core.search.terms import STOP_WORDS, terms

__all__ = ("missing_topics",)

_MOST = 3


def missing_topics(query: str, rarity: Mapping[str, float], held: frozenset[str] = frozenset()) -> tuple[str, ...]:
    """Return up to three of the question's own words, rarest first, that are not among the terms `held`."""
    words = dict.fromkeys(word.strip(".,;:!?()[]{}\"'`") for word in query.split())
    scored = [(max((rarity.get(term, 0.0) for term in terms(word)), default=0.0), word) for word in words if word]
    open_topics = [
        (score, word)
        for score, word in scored
        if score > 0 and word.lower() not in STOP_WORDS and not set(terms(word)) <= held
    ]
    open_topics.sort(key=lambda pair: -pair[0])
    return tuple(word for _, word in open_topics[:_MOST])
