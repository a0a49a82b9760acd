"""Support scoring: measures how well a passage supports one sentence, by a weighted sum of lexical signals.

The signals exclude cosines. On labelled pairs cosines did not improve the score, and encoding costs ten times as much.
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

SPAN = 3  # consecutive sentences that may support one sentence together
_ABOUT_THE_SAME = 0.6  # least share of common stems of two sentences about one fact
_SHARED_BESIDE_OPPOSITE = 0.5  # least share of common stems next to an opposite: "enable X" against "disable X"
_OPENNESS = 1  # added to every word count, so that one new word in a short sentence weighs less
_WORD = re.compile(r"[\w.+#-]*\w")
_QUESTION_MARKS = ("?", "？", "؟")

# Logistic regression with weights of one sign on HaluEval and BEGIN, rounded; WiCE was held out.
# By decision, `invented` or `flipped` alone rejects an answer.
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
    """Signals that a passage does not support a sentence, each between 0 and 1.

    Attributes:
        unheld: Share of the sentence's stems missing from the best span of three consecutive sentences.
        scattered: Share of the sentence's stems missing from the best single sentence of the passage.
        asks: Whether the sentence is a question.
        opinion: Whether the sentence gives an opinion and has words that the passage lacks.
        negation: Whether the sentence has a negation and the nearest sentence of the passage has none.
        repeated: Whether the sentence has a name from the question that the passage lacks.
        invented: Whether the sentence has a new name, or a quantity that the passage lacks or states elsewhere.
        flipped: Whether the sentence is the opposite of the nearest sentence of the passage.
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
    """Verdict on a sentence: its words, names and quantities that the passage lacks, and the signals against it."""

    missing: tuple[str, ...]
    signals: Signals


def judge_sentence(sentence: str, passage: PassageWords, asked: frozenset[str]) -> Support:
    """Measure how well a passage supports one sentence.

    Args:
        sentence: One sentence of an answer.
        passage: The passage that must support the sentence.
        asked: The stems of the question; names from the question do not count as invented.
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
    """Return the quantities of a sentence that are missing near the matching sentences of the passage.

    If several sentences match equally, such as rows of a table, one of them must have all quantities.
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
    """Return whether two sentences are about the same fact and one of them negates or reverses the other."""
    alike = len(ours & theirs) / max(1, len(ours | theirs))
    if turned:
        return alike >= _ABOUT_THE_SAME
    return bool(opposed(ours, theirs, language)) and len(ours & theirs) / max(1, len(ours)) >= _SHARED_BESIDE_OPPOSITE


def _missing_words(sentence: str, passage: PassageWords) -> list[str]:
    held, language = passage.held, passage.language
    words = (match.group() for match in _WORD.finditer(sentence))
    return [word for word in words if any(respelled(stem, held) not in held for stem in asserted_stems(word, language))]
