"""Whether an answer is grounded in a passage: sentence by sentence, with its reasons in words."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pincite_core.embedders import Vectors
from pincite_core.tokens import STOP_WORDS, terms
from pincite_core.units import split_sentences
from pincite_server.guards.numbers import numbers_of
from pincite_server.policy import GroundingMode
from pincite_server.selection.adr003 import validate_response_in_context
from pincite_server.wording import say

__all__ = ("Grounding", "validate_grounding")

# Chosen on development pairs (HaluEval, BEGIN, WiCE): the least total of wrong refusals and wrong acceptances on BEGIN.
_MAX_UNSUPPORTED = 0.25  # share of what a sentence adds to the question that the passage may lack
_ABOUT_THE_SAME = 0.6  # share of common terms from which two sentences are about one fact, so that a negation counts
_NAME = re.compile(r"\b[A-Z][\w.+#-]*[\w+#]")
_WORD = re.compile(r"[\w.+#-]*\w")
_NEGATION = re.compile(r"\b(?:not|no|never|cannot|without|neither|nor|\w+n['’]t)\b", re.IGNORECASE)
_FILLER = frozenset(
    term
    for word in (
        "yes actually really also very just know think well sure great thing things lot many much more most first "
        "other another both he his him she her hers i im me am interesting cool oh wow yeah hi hello people used "
        "called known however while during since until before after about because over under through between among "
        "some several include included including like love enjoy fun ever even still only said says"
    ).split()
    for term in terms(word)
)
"""Terms of conversation and connection, which assert nothing that could be wrong."""
_STOPS = frozenset(term for word in STOP_WORDS for term in terms(word))


@dataclass(frozen=True, slots=True)
class Grounding:
    """The validator's verdict.

    Attributes:
        grounded: Whether the answer may be shown.
        score: 0 to 1; higher is better supported.
        reasons: Why not, in the reader's language.
        unsupported: The answer's terms, names and numbers that the passage does not hold.
        similarity: Cosine of answer and passage.
        keyword_overlap: Share of the answer's keywords that the passage holds.
    """

    grounded: bool
    score: float
    reasons: tuple[str, ...]
    unsupported: tuple[str, ...]
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
) -> Grounding:
    """Judge whether every sentence of an answer is supported by a passage.

    Args:
        passage: The reader's selection.
        question: The question; words that it brings in itself need no support.
        answer: The answer, without citation markers.
        encode: Turns texts into unit vectors.
        mode: `default`, or `adr-003` for the rule of selected-text validation.
        language: The language of the reasons.
    """
    simple = validate_response_in_context(answer, passage, encode)
    similarity, overlap = simple.similarity, simple.keyword_overlap
    if mode == "adr-003":
        score = max(similarity, overlap)
        return Grounding(simple.passed, _bounded(score), (), (), similarity, overlap)
    unsupported, share = _unsupported(passage, question, answer)
    flipped = _negates(passage, answer)
    score = _bounded((1 - share) * (0.5 if flipped else 1.0))
    if share <= _MAX_UNSUPPORTED and not flipped and not any(_is_hard(term) for term in unsupported):
        return Grounding(True, score, (), tuple(unsupported), similarity, overlap)
    reasons = [say("reason_not_in_selection", language, term=f"*{term}*") for term in unsupported]
    if flipped:
        reasons.append(say("reason_negation", language))
    return Grounding(False, score, tuple(reasons), tuple(unsupported), similarity, overlap)


def _unsupported(passage: str, question: str, answer: str) -> tuple[list[str], float]:
    """Return the answer's words without support, and the largest share of them in what any one sentence adds."""
    asked, held = set(terms(question)), set(terms(passage))
    known_numbers = numbers_of(passage) | numbers_of(question)
    missing: dict[str, None] = {}
    worst = 0.0
    for sentence in _sentences(answer):
        added = _asserted(sentence) - asked
        lost = added - held
        worst = max(worst, len(lost) / len(added) if added else 0.0)
        missing.update(dict.fromkeys(word for word in _WORD.findall(sentence) if set(terms(word)) & lost))
        missing.update(dict.fromkeys(sorted(numbers_of(sentence) - known_numbers)))
    return list(missing), worst


def _is_hard(word: str) -> bool:
    """Whether a word without support is a number or a name, which no paraphrase explains."""
    return word[0].isdigit() or bool(_NAME.fullmatch(word))


def _negates(passage: str, answer: str) -> bool:
    """Whether a sentence of the answer says of the passage's nearest sentence that it is not so, or the reverse."""
    theirs = [(_asserted(sentence), bool(_NEGATION.search(sentence))) for sentence in _sentences(passage)]
    return any(_contradicts(sentence, theirs) for sentence in _sentences(answer))


def _contradicts(sentence: str, theirs: Sequence[tuple[set[str], bool]]) -> bool:
    ours = _asserted(sentence)
    if not ours or not theirs:
        return False
    nearest, negated = max(theirs, key=lambda their: len(ours & their[0]))
    alike = len(ours & nearest) / len(ours | nearest)
    return alike >= _ABOUT_THE_SAME and bool(_NEGATION.search(sentence)) != negated


def _asserted(sentence: str) -> set[str]:
    return set(terms(sentence)) - _FILLER - _STOPS


def _sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in split_sentences(text)]


def _bounded(score: float) -> float:
    return round(float(min(1.0, max(0.0, score))), 4)
