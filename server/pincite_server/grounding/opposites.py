"""Words that turn a statement round: negations, and words against their opposites."""

import re
from collections.abc import Set

from pincite_core.search.terms import terms
from pincite_server.grounding.stems import asserted_stems

__all__ = ("is_negated", "negated_stems", "opposed")

_NEGATION = re.compile(r"\b(?:not|no|never|none|nobody|nothing|cannot|without|neither|nor|\w+n['’]t)\b", re.IGNORECASE)
_REACH = 3  # words that a negation turns round
_PREFIXES = {"un": 5, "non": 4, "anti": 4, "in": 5, "im": 5, "ir": 5, "il": 5, "dis": 6}
"""How many letters must be left for a prefix to be one: `import` is not the opposite of `port`."""
_PAIRS = (
    "increase decrease|high low|higher lower|highest lowest|large small|largest smallest|larger smaller|big little|"
    "bigger smaller|biggest smallest|begin end|beginning end|start stop|start end|enable disable|enabled disabled|"
    "allow forbid|allow prevent|allow deny|include exclude|minimum maximum|min max|early late|earlier later|"
    "earliest latest|old new|oldest newest|older newer|older younger|north south|east west|northern southern|"
    "eastern western|up down|always never|rich poor|strong weak|stronger weaker|good bad|best worst|better worse|"
    "true false|add remove|add delete|win lose|success failure|succeed fail|support oppose|agree disagree|"
    "public private|internal external|inside outside|accept reject|easy difficult|easy hard|simple complex|"
    "positive negative|cause prevent|gain loss|rise fall|male female|modern ancient|active passive|common rare|"
    "import export|buy sell|create destroy|create delete|open close|open closed|long short|longer shorter|"
    "longest shortest|fast slow|faster slower|fastest slowest|above below|upper lower|left right|safe dangerous|"
    "same different|similar different|legal illegal|direct indirect|majority minority|all none|multiple single|"
    "native foreign|urban rural|wide narrow|thick thin|heavy light|hot cold|wet dry|full empty|near far|front back|"
    "top bottom|horizontal vertical|attack defend|peace war|life death|birth death|young old|deep shallow|"
    "future past|natural artificial|permanent temporary|optional required|optional mandatory|"
    "synchronous asynchronous|encourage discourage|encourage prevent|help harm|help hinder|improve worsen|"
    "join leave|arrive leave|enter leave|send receive|give take|teach learn|build destroy|strengthen weaken|"
    "expand shrink|expand contract|raise lower|grow shrink|keep lose|push pull|visible hidden|show hide|"
    "known unknown|read write|client server|input output|local remote|static dynamic|lock unlock|mount unmount|"
    "install uninstall|upgrade downgrade|parent child|ascending descending|compress decompress|encrypt decrypt|"
    "safe unsafe|set unset|used unused|allow disallow|valid invalid|serial parallel|deprecated recommended"
)


def _opposites() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for pair in _PAIRS.split("|"):
        one, other = pair.split()
        for left, right in ((one, other), (other, one)):
            found.setdefault(terms(left)[0], set()).add(terms(right)[0])
    return {stem: frozenset(others) for stem, others in found.items()}


_OPPOSITES = _opposites()


def is_negated(sentence: str) -> bool:
    """Whether a sentence says that something is not so."""
    return bool(_NEGATION.search(sentence))


def negated_stems(sentence: str) -> frozenset[str]:
    """Return the stems of the few words after each negation of a sentence: what it says is not so."""
    negated = (sentence[match.end() :].split()[:_REACH] for match in _NEGATION.finditer(sentence))
    return frozenset(stem for words in negated for stem in asserted_stems(" ".join(words)))


def opposed(stems: Set[str], held: Set[str]) -> list[str]:
    """Return the stems that are not held but whose opposites are: `disable` where `enable` is held."""
    return sorted(stem for stem in stems if stem not in held and _has_opposite(stem, held))


def _has_opposite(stem: str, held: Set[str]) -> bool:
    if not _OPPOSITES.get(stem, frozenset()).isdisjoint(held):
        return True
    return any(
        (len(stem) >= letters and prefix + stem in held)
        or (stem.startswith(prefix) and len(stem) - len(prefix) >= letters and stem[len(prefix) :] in held)
        for prefix, letters in _PREFIXES.items()
    )
