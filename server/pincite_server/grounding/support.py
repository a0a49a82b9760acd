"""How well a passage supports one sentence: a few signals from its words, each with its weight.

Cosines are not among them: on labelled pairs they added nothing to the words, and encoding costs ten times as much.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from pincite_core.budget import check_budget
from pincite_core.phrasing import phrasing
from pincite_core.quoting.quantities import quantities_of, unsupported_quantities
from pincite_server.grounding.names import unsupported_names
from pincite_server.grounding.opposites import is_negated, negated_stems, opposed
from pincite_server.grounding.passage_words import PassageWords
from pincite_server.grounding.stems import asserted_stems, respelled

__all__ = ("SUPPORT_WEIGHTS", "Signals", "Support", "judge_sentence")

SPAN = 3  # neighbouring sentences that may support one sentence together
_ABOUT_THE_SAME = 0.6  # share of common stems from which two sentences are about one fact
_SHARED_BESIDE_OPPOSITE = 0.5  # share of a sentence's stems beside an opposite: "enable X" against "disable X"
_OPENNESS = 1  # added to every count of words, so that one odd word in a brief sentence is not all of it
_WORD = re.compile(r"[\w.+#-]*\w")
_QUESTION_MARKS = ("?", "？", "؟")

# Fitted on HaluEval and BEGIN (logistic regression with weights of one sign), then rounded; WiCE was not looked at.
# `invented` and `flipped` are more than any answer can bear, by decision.
SUPPORT_WEIGHTS: Mapping[str, float] = {
    "unheld": 1.7,
    "scattered": 4.0,
    "asks": 2.2,
    "opinion": 1.2,
    "negation": 2.0,
    "repeated": 1.0,
    "invented": 6.0,
    "flipped": 6.0,
}


@dataclass(frozen=True, slots=True)
class Signals:
    """What speaks against a sentence, 0 to 1 each.

    Attributes:
        unheld: Share of its stems that no span of three neighbouring sentences holds.
        scattered: Share of its stems that no single sentence holds.
        asks: It asks the reader something.
        opinion: It speaks with a voice of its own about something that the passage lacks.
        negation: It negates, and the passage's nearest sentence does not.
        repeated: It has a name from the question that the passage lacks.
        invented: It has a name or a quantity that neither the passage nor the question has.
        flipped: It says the opposite of the passage's nearest sentence.
    """

    unheld: float
    scattered: float
    asks: bool
    opinion: bool
    negation: bool
    repeated: bool
    invented: bool
    flipped: bool

    @property
    def doubt(self) -> float:
        """The weighted sum of the signals."""
        return sum(weight * float(getattr(self, name)) for name, weight in SUPPORT_WEIGHTS.items())


_NOTHING = Signals(0.0, 0.0, asks=False, opinion=False, negation=False, repeated=False, invented=False, flipped=False)


@dataclass(frozen=True, slots=True)
class Support:
    """The words, names and quantities that a passage lacks, as the sentence has them, and what speaks against it."""

    missing: tuple[str, ...]
    signals: Signals


def judge_sentence(sentence: str, passage: PassageWords, asked: frozenset[str]) -> Support:
    """Hold one sentence against a passage.

    Args:
        sentence: One sentence of an answer.
        passage: What must support it.
        asked: The stems of the question; a name that only repeats the question is no invention.
    """
    check_budget()
    if passage.quotes(sentence):
        return Support((), _NOTHING)
    language = passage.language
    names = unsupported_names(sentence, passage.held, language)
    quantities = unsupported_quantities(sentence, passage.quantities, language) or _displaced(sentence, passage)
    new_names = [name for name in names if asked.isdisjoint(asserted_stems(name, language))]
    signals = _signals(sentence, passage, repeated=len(new_names) < len(names), invented=bool(new_names or quantities))
    missing = tuple(dict.fromkeys([*_missing_words(sentence, passage), *names, *quantities]))
    return Support(missing, signals)


def _signals(sentence: str, passage: PassageWords, *, repeated: bool, invented: bool) -> Signals:
    language = passage.language
    stems = frozenset(respelled(stem, passage.held) for stem in asserted_stems(sentence, language))
    near = passage.sentences[passage.nearest(stems)[0]] if passage.sentences else ""
    negates = is_negated(sentence, language) and not is_negated(near, language)
    denied = not is_negated(sentence, language) and not stems.isdisjoint(negated_stems(near, language))
    total = len(stems) + _OPENNESS
    unheld = (len(stems) - passage.covered(stems, SPAN)) / total
    return Signals(
        unheld=unheld,
        scattered=(len(stems) - passage.covered(stems)) / total,
        asks=sentence.rstrip().endswith(_QUESTION_MARKS),
        opinion=unheld > 0 and phrasing(language).claims.opinion.found_in(sentence),
        negation=negates and len(stems) > 1,
        repeated=repeated,
        invented=invented,
        flipped=_flips(stems, frozenset(asserted_stems(near, language)), language, turned=negates or denied),
    )


def _displaced(sentence: str, passage: PassageWords) -> list[str]:
    """Return the quantities that the passage has, but not where it says what else the sentence says.

    Where several places say it, as rows of a table do, one of them must have all the quantities.
    """
    language = passage.language
    stems = frozenset(stem for stem in asserted_stems(sentence, language) if not stem.isdigit())
    nearest = passage.nearest(stems)
    if not stems or passage.covered(stems) < _ABOUT_THE_SAME * len(stems):
        return []
    beside = (quantities_of(passage.around(place), language) for place in nearest)
    lacking = (unsupported_quantities(sentence, quantities, language) for quantities in beside)
    return min(lacking, key=len)


def _flips(ours: frozenset[str], theirs: frozenset[str], language: str, *, turned: bool) -> bool:
    """Whether two sentences are about one fact, and one of them turns it round."""
    alike = len(ours & theirs) / max(1, len(ours | theirs))
    if turned:
        return alike >= _ABOUT_THE_SAME
    return bool(opposed(ours, theirs, language)) and len(ours & theirs) / max(1, len(ours)) >= _SHARED_BESIDE_OPPOSITE


def _missing_words(sentence: str, passage: PassageWords) -> list[str]:
    held, language = passage.held, passage.language
    words = (match.group() for match in _WORD.finditer(sentence))
    return [word for word in words if any(respelled(stem, held) not in held for stem in asserted_stems(word, language))]
