"""What a sentence asserts, as comparable stems: without words of grammar and conversation, numbers as digits."""

import re
from collections.abc import Set
from itertools import takewhile

from pincite_core.search.terms import STOP_WORDS, terms
from pincite_server.grounding.quantities import ORDINALS, SPELLED_NUMBERS

__all__ = ("all_stems", "asserted_stems", "respelled")

_MONTHS = "january february march april june july august september october november december".split()
_CONTRACTED = frozenset({"s", "t", "m", "d", "ll", "re", "ve"})  # what is left of "that's", "don't", "I'm", ...
_STOPS = frozenset(term for word in STOP_WORDS for term in terms(word)) | _CONTRACTED
_FILLER = frozenset(
    term
    for word in (
        "yes no actually really also very just know think well sure great thing things lot many much more most other "
        "another both either neither each every any he his him she her hers i im me am interesting cool oh wow yeah hi "
        "hello people used called known however while during since until before after about because over under upon "
        "through between among across around despite although though thus hence therefore some several include "
        "included including following like love enjoy fun ever even still only said says right true bet believe guess "
        "agree okay ok yep yea nope lol indeed certainly definitely correct exactly wonder hear heard see "
        "maybe perhaps possibly presumably probably"
    ).split()
    for term in terms(word)
)
"""Terms of conversation and connection, which assert nothing that could be wrong."""
_STEMS = {
    **{term: digits for word, digits in {**SPELLED_NUMBERS, **ORDINALS}.items() for term in terms(word)},
    **{term: month[:3] for month in _MONTHS for term in terms(month)},
}
_HIRAGANA = re.compile("[\u3040-\u309f]")  # particles and endings: what Japanese asserts is in its other characters
_SHORTEST_VARIANT = 5  # letters: below that a common beginning is chance (port, part, post)
_VARIANT_TAIL = 2  # letters in which the rest of two spellings may differ (behavior, behaviour; initial, initialise)


def all_stems(text: str) -> list[str]:
    """Return the search terms of a text with numbers as digits and months as their first three letters."""
    return [_STEMS.get(term, term) for term in terms(text)]


def asserted_stems(text: str) -> list[str]:
    """Return the stems of a text that assert something, in order, with repeats."""
    found = (term for term in terms(text) if term not in _STOPS and term not in _FILLER)
    return [_STEMS.get(term, term) for term in found if not _HIRAGANA.search(term)]


def respelled(stem: str, held: Set[str]) -> str:
    """Return a stem as those held spell or derive it (same beginning, ends close by); itself when none does."""
    if stem in held or len(stem) < _SHORTEST_VARIANT or not stem.isalpha():
        return stem
    start = stem[:_SHORTEST_VARIANT]
    return min((other for other in held if other.startswith(start) and _is_variant(stem, other)), default=stem)


def _is_variant(one: str, other: str) -> bool:
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
    return max(len(one), len(other)) - shared <= _VARIANT_TAIL
