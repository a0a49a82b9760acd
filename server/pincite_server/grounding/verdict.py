"""Grounding verdict: judges each sentence of an answer against a passage; the least supported sentence decides.

The signals against a sentence exclude cosines. On labelled pairs cosines did not improve the score, and encoding costs
ten times as much.
"""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from pincite_core.budget import check_budget
from pincite_core.embedders import Vectors
from pincite_core.phrasing import phrasing
from pincite_core.quoting.quantities import quantities_of, unsupported_quantities
from pincite_core.wording import say
from pincite_server.grounding.claims import judge_claim
from pincite_server.grounding.evidence import Evidence
from pincite_server.grounding.keyword_overlap import extract_keywords, validate_response_in_context
from pincite_server.grounding.names import unsupported_names
from pincite_server.grounding.opposites import is_negated, negated_stems, opposed
from pincite_server.grounding.passage_words import PassageWords, sentences_of
from pincite_server.grounding.stems import CJK, all_stems, asserted_stems, respelled
from pincite_server.policy import GroundingMode

__all__ = (
    "SUPPORT_WEIGHTS",
    "Grounding",
    "Judgement",
    "judge_sentence",
    "judge_support",
    "unworded_share",
    "validate_grounding",
)

_SPAN = 3  # consecutive sentences that may support one sentence together
_ABOUT_THE_SAME = 0.6  # least share of common stems of two sentences about one fact
_SHARED_BESIDE_OPPOSITE = 0.5  # least share of common stems next to an opposite: "enable X" against "disable X"
_OPENNESS = 1  # added to every word count, so that one new word in a short sentence weighs less
_WORD = re.compile(r"[\w.+#-]*\w")
_QUESTION_MARKS = ("?", "？", "؟")
# Fitted with `SUPPORT_WEIGHTS`, so that 5 % of the supported answers of BEGIN are rejected.
_CONFIDENCE = 3.0  # log odds of an answer without any doubt
_UNWORDED_WEIGHT = 3.2  # weight of the share of keywords that the passage lacks in the same form
_TURNED = frozenset({"opposite", "exchange"})  # doubts that a paraphrase cannot cause

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

    unheld: float = 0.0
    scattered: float = 0.0
    asks: bool = False
    opinion: bool = False
    negation: bool = False
    repeated: bool = False
    invented: bool = False
    flipped: bool = False

    @property
    def doubt(self) -> float:
        """The weighted sum of the signals."""
        return sum(weight * float(getattr(self, name)) for name, weight in SUPPORT_WEIGHTS.items())


@dataclass(frozen=True, slots=True)
class Support:
    """Verdict on a sentence: its words, names and quantities that the passage lacks, and the signals against it."""

    missing: tuple[str, ...] = ()
    signals: Signals = Signals()


@dataclass(frozen=True, slots=True)
class Judgement:
    """Verdict on whether a passage supports an answer.

    Attributes:
        grounded: Whether the answer may be shown.
        score: Degree of support, 0 to 1; an answer needs at least 0.5.
        reasons: The reasons against the answer, in the reader's language.
        unsupported: The answer's terms, names and numbers that the passage lacks.
    """

    grounded: bool
    score: float
    reasons: tuple[str, ...]
    unsupported: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Grounding(Judgement):
    """A verdict with two measures of similarity.

    `similarity` is the cosine of the answer and the passage, or the nearest window of a long passage. `keyword_overlap`
    is the share of the answer's keywords that the passage contains.
    """

    similarity: float
    keyword_overlap: float


def validate_grounding(
    passage: str,
    question: str,
    answer: str,
    encode: Callable[[Sequence[str]], Vectors],
    *,
    mode: GroundingMode = "default",
    language: str = "en",
    text_language: str = "en",
) -> Grounding:
    """Judge whether a passage supports every sentence of an answer, and measure their similarity.

    Args:
        passage: The reader's selection.
        question: The question; names from the question do not count as invented.
        answer: The answer, without citation markers.
        encode: Encodes texts as unit vectors.
        mode: `default`, or `adr-003` for the rule of selected-text validation.
        language: The language of the reasons.
        text_language: The language of the passage and the answer.
    """
    measured = validate_response_in_context(answer, passage, encode)
    similarity, overlap = measured.similarity, measured.keyword_overlap
    if mode == "adr-003":
        score = min(1.0, max(0.0, similarity, overlap))
        return Grounding(measured.passed, round(score, 4), (), (), similarity, overlap)
    found = judge_support(passage, question, answer, language=language, text_language=text_language)
    return Grounding(found.grounded, found.score, found.reasons, found.unsupported, similarity, overlap)


def judge_support(
    passage: str, question: str, answer: str, *, language: str = "en", text_language: str = "en"
) -> Judgement:
    """Judge an answer by its words, without vectors: the mode `default` of `validate_grounding`."""
    words = PassageWords.of(passage, text_language)
    asked = frozenset(all_stems(question, text_language))
    sentences = sentences_of(answer, text_language)
    judged = [judge_sentence(sentence, words, asked) for sentence in sentences]
    evidence = Evidence.of("", passage, text_language)
    verdicts = (judge_claim(one, evidence, evidence, question) for one in sentences if not words.quotes(one))
    turned = any(not _TURNED.isdisjoint(verdict.doubts) for verdict in verdicts)
    doubt = max((one.signals.doubt for one in judged), default=0.0) + SUPPORT_WEIGHTS["flipped"] * turned
    if doubt:
        doubt += _UNWORDED_WEIGHT * unworded_share(answer, passage)
    score = round(1 / (1 + math.exp(doubt - _CONFIDENCE)), 4)
    unsupported = tuple(dict.fromkeys(word for one in judged for word in one.missing))
    grounded = doubt <= _CONFIDENCE
    reasons = [] if grounded else [say("reason_not_in_selection", language, term=f"*{word}*") for word in unsupported]
    if not grounded and (turned or any(one.signals.flipped for one in judged)):
        reasons.append(say("reason_negation", language))
    if not (grounded or reasons):
        reasons.append(say("reason_not_said", language))
    return Judgement(grounded, score, tuple(reasons), unsupported)


def unworded_share(answer: str, passage: str) -> float:
    """Return the share of an answer's keywords that the passage lacks in the same form."""
    wanted = [word for word in extract_keywords(answer) if not CJK.search(word)]
    held = set(extract_keywords(passage))
    return sum(word not in held for word in wanted) / len(wanted) if wanted else 0.0


def judge_sentence(sentence: str, passage: PassageWords, asked: frozenset[str]) -> Support:
    """Measure how well a passage supports one sentence.

    `asked` are the stems of the question; names from the question do not count as invented.
    """
    check_budget()
    if passage.quotes(sentence):
        return Support()
    held, language = passage.held, passage.language
    names = unsupported_names(sentence, held, language)
    quantities = unsupported_quantities(sentence, passage.quantities, language) or _displaced(sentence, passage)
    new_names = [name for name in names if asked.isdisjoint(asserted_stems(name, language))]
    words = (
        word
        for word in _WORD.findall(sentence)
        if any(respelled(stem, held) not in held for stem in asserted_stems(word, language))
    )
    stems = frozenset(respelled(stem, held) for stem in asserted_stems(sentence, language))
    near = passage.sentences[passage.nearest(stems)[0]] if passage.sentences else ""
    negates = is_negated(sentence, language) and not is_negated(near, language)
    denied = not is_negated(sentence, language) and not stems.isdisjoint(negated_stems(near, language))
    total = len(stems) + _OPENNESS
    unheld = (len(stems) - passage.covered(stems, _SPAN)) / total
    signals = Signals(
        unheld=unheld,
        scattered=(len(stems) - passage.covered(stems)) / total,
        asks=sentence.rstrip().endswith(_QUESTION_MARKS),
        opinion=unheld > 0 and phrasing(language).claims.opinion.found_in(sentence),
        negation=negates and len(stems) > 1,
        repeated=len(new_names) < len(names),
        invented=bool(new_names or quantities),
        flipped=_flips(stems, frozenset(asserted_stems(near, language)), language, turned=negates or denied),
    )
    return Support(tuple(dict.fromkeys([*words, *names, *quantities])), signals)


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
