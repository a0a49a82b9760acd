"""Claim verification: judges whether the cited excerpts prove a claim (verified, doubtful or unsupported).

A claim is compared with the nearest sentences of the excerpts, not with the words of a whole excerpt. A claim is
unsupported only if it cannot come from the docs: no excerpt has its name, code or number, or covers its subject. A
claim is doubtful if a comparison of words cannot decide.
"""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from pincite_core.quoting.quantities import (
    contradicted_numbers,
    quantities_of,
    units_of,
    unsaid_counts,
    unsupported_quantities,
    unsupported_units,
)
from pincite_server.grounding.contradiction import Nearest, contrasts, exchanges, negation_differs, overstates
from pincite_server.grounding.entity_swap import misplaces
from pincite_server.grounding.evidence import Evidence, leads_in, plain_text
from pincite_server.grounding.names import (
    CONSTANTS,
    code_spans,
    missing_code,
    missing_literals,
    unsupported_names,
    without_code,
)
from pincite_server.grounding.nearness import Nearness
from pincite_server.grounding.stems import CJK, GENERAL_WEIGHT, all_stems, asserted_stems, general_stems, respelled

__all__ = ("ClaimVerdict", "Doubt", "Proof", "comes_to", "judge_claim")

Proof = Literal["verified", "doubtful", "unsupported"]
Doubt = Literal["name", "number", "words", "code", "negation", "opposite", "strength", "exchange"]
"""The kinds of content in a claim that the cited text lacks or contradicts."""

_OFF_SUBJECT = 0.6  # least share of new words in a claim that is off the subject of all excerpts
_FEWEST_WORDS = 3  # content words; a claim with fewer is off the subject only if all its words are new
_SHORTEST_ROOT, _LONGEST_ENDING = 4, 3  # letters: fail, failur
_CODE_REACH = 4  # maximum distance in sentences between a claim's nearest sentences and its code
_NEW_WORDS, _NEW_SHARE = 2, 0.2  # number and share of new content words from which a claim is no paraphrase
_NEW_PAIRS = 0.5  # the same share for character bigrams
_ROOT = re.compile(r"[A-Z][a-z]{3,}")  # root of a name: Mongo in MongoDB and in MongoNamingStrategy
_SENTENCE_START = re.compile(r"(?:^|(?<=[.!?] ))[A-Z][a-z]*\b")
_DIGIT = re.compile(r"\d")
_CODE_WEIGHT = 2.0

_SCALES: tuple[dict[str, float], ...] = (
    {"ms": 0.001, "s": 1.0, "min": 60.0, "h": 3600.0, "d": 86400.0},
    {"": 1.0, "kb": 1024.0, "mb": 1024.0**2, "gb": 1024.0**3, "tb": 1024.0**4},
    {"": 1.0, "kb": 1000.0, "mb": 1000.0**2, "gb": 1000.0**3, "tb": 1000.0**4},
)
"""The factor of each unit relative to the base unit of its kind; a size without a unit is in bytes."""


@dataclass(frozen=True, slots=True)
class ClaimVerdict:
    """Verdict on a claim: the proof, the doubts, and the quote of the docs nearest to the claim."""

    proof: Proof
    doubts: tuple[Doubt, ...]
    quote: str


def judge_claim(
    claim: str, cited: Evidence, shown: Evidence, question: str = "", nearness: Nearness | None = None
) -> ClaimVerdict:
    """Judge one sentence, list item or heading of an answer.

    Args:
        claim: The text without citation markers and list marks.
        cited: The excerpts that the claim cites, with their headings.
        shown: All excerpts in the prompt of the writer.
        question: The question; its words do not count as invented.
        nearness: Comparison by token vectors; None if the model or the language does not support it.
    """
    weights = _weights(claim, cited)
    places = cited.places_of(weights)
    quote = cited.quote(places)
    if invented := tuple(dict.fromkeys(_invented(claim, shown, question))):
        return ClaimVerdict("unsupported", invented, quote)
    if _is_off_subject(claim, shown, question):
        return ClaimVerdict("unsupported", ("words",), quote)
    around = cited.around(places)
    near = Nearest(
        tuple(cited.sentences[place] for place in places),
        tuple(cited.sentences[place] for place in around),
        cited.headings,
        cited.held,
        cited.language,
    )
    doubts: tuple[Doubt, ...] = tuple(dict.fromkeys(_doubts(claim, cited, near, question)))
    if nearness is not None:  # token vectors remove or add the doubt `words`
        if doubts == ("words",) and nearness.keeps(claim, cited):
            doubts = ()
        elif not doubts and not leads_in(claim) and nearness.strays(claim, cited):
            doubts = ("words",)
    return ClaimVerdict("doubtful" if doubts else "verified", doubts, quote)


def _invented(claim: str, shown: Evidence, question: str) -> Iterator[Doubt]:
    """Yield a doubt for names and numbers that are in no excerpt, no heading and not in the question."""
    known, language = f"{shown.text} {plain_text(question)}", shown.language
    held = shown.held | frozenset(all_stems(question, language))
    unheard = [name for name in unsupported_names(_body(claim), held, language) if not _has_root(shown.code, name)]
    if unheard or any(literal not in CONSTANTS for literal in missing_literals(claim, known)):
        yield "name"
    if _DIGIT.search(claim):  # skip the long excerpts for the many claims without numbers
        numbers = unsupported_quantities(claim, quantities_of(known, language), language)
        if not all(comes_to(number, question, language) for number in numbers):
            yield "number"


def _has_root(code: str, name: str) -> bool:
    """Return whether code contains a name with the same root: `MongoNamingStrategy` for MongoDB."""
    root = _ROOT.match(name)
    return root is not None and re.search(rf"\b{root.group().lower()}", code) is not None


def _is_off_subject(claim: str, shown: Evidence, question: str) -> bool:
    """Return whether most content words of a claim are new, or all words of a claim with code or few words."""
    held = shown.held | frozenset(all_stems(question, shown.language))
    telling = set(_telling(claim, shown.language))
    if code_spans(claim) or len(telling) < _FEWEST_WORDS:
        asserted = asserted_stems(claim, shown.language)
        return bool(telling) and all(_is_new(stem, held) for stem in {*telling, *asserted})
    return sum(_is_new(stem, held) for stem in telling) >= _OFF_SUBJECT * len(telling)


def _doubts(claim: str, cited: Evidence, near: Nearest, question: str) -> Iterator[Doubt]:
    language = cited.language
    asked = frozenset(all_stems(question, language))
    known = f"{cited.text} {plain_text(question)}"
    if (
        missing_literals(claim, known)
        or any(
            not asked.issuperset(asserted_stems(name, language))
            for name in unsupported_names(_body(claim), cited.held, language)
        )
        or misplaces(claim, cited)
    ):
        yield "name"
    if _numbers_doubtful(claim, cited, near, question):
        yield "number"
    if not leads_in(claim) and _says_more(claim, cited.held | asked, language):
        yield "words"
    places = [place for place, sentence in enumerate(cited.sentences) if sentence in near.sentences]
    beside = plain_text(" ".join((cited.said(cited.around(places, _CODE_REACH)), *near.headings, question)))
    if any(missing_code(span, beside) for span in code_spans(claim)):
        yield "code"
    if negation_differs(claim, near):
        yield "negation"
    if contrasts(claim, near):
        yield "opposite"
    if overstates(claim, near):
        yield "strength"
    if exchanges(claim, near):
        yield "exchange"


def _numbers_doubtful(claim: str, cited: Evidence, near: Nearest, question: str) -> bool:
    beside, language = " ".join((near.text, *near.headings, question)), near.language
    held = quantities_of(f"{beside} {claim if not near.sentences else ''}", language)
    known, announces = f"{cited.text} {question}", leads_in(claim)
    if announces:  # a lead-in may also count the items of cited lists
        known = f"{known} {' '.join(map(str, sorted(cited.list_lengths)))}"
    return bool(
        unsupported_quantities(claim, held, language)
        or contradicted_numbers(claim.replace("`", ""), near.text, f"{' '.join(cited.headings)} {question}", language)
        or unsupported_units(claim, f"{near.wider} {question}", language)
        or ((not announces or cited.list_lengths) and unsaid_counts(without_code(claim), known, language))
    )


def _says_more(claim: str, held: frozenset[str], language: str) -> bool:
    """Return whether a claim has more new words than a paraphrase, or no content words at all."""
    telling = set(_telling(claim, language))
    if not telling:
        return not code_spans(claim) and not any(stem.isdigit() for stem in asserted_stems(claim, language))
    new = sum(_is_new(stem, held) for stem in telling)
    if CJK.search(claim):  # bigrams across word boundaries are new in any sentence
        return new >= _NEW_PAIRS * len(telling)
    return new >= _NEW_WORDS or new >= max(1, _NEW_SHARE * len(telling))


def _telling(claim: str, language: str) -> list[str]:
    """Return the stems of a claim's content words, without general words and numbers."""
    general = general_stems(language)
    return [stem for stem in asserted_stems(claim, language) if stem not in general and not stem.isdigit()]


def _is_new(stem: str, held: frozenset[str]) -> bool:
    """Return whether the held stems contain neither this stem nor a variant or derivation of it."""
    if respelled(stem, held) in held:
        return False
    return not any(_is_derived(stem, other) or _is_derived(other, stem) for other in held)


def _is_derived(word: str, other: str) -> bool:
    return _SHORTEST_ROOT <= len(word) <= len(other) <= len(word) + _LONGEST_ENDING and other.startswith(word)


def _weights(claim: str, cited: Evidence) -> dict[str, float]:
    language = cited.language
    code = {stem for span in code_spans(claim) for stem in all_stems(span, language)}
    general = general_stems(language)
    weights: dict[str, float] = {}
    for stem in asserted_stems(claim, language):
        is_code = stem in code or stem.isdigit()
        weight = _CODE_WEIGHT if is_code else GENERAL_WEIGHT if stem in general else 1.0
        weights[respelled(stem, cited.held)] = weight
    return weights


def _body(claim: str) -> str:
    """Return a claim without code, and with the first word of each sentence in lower case."""
    return _SENTENCE_START.sub(lambda start: start.group().lower(), without_code(claim).strip())


def comes_to(number: str, text: str, language: str) -> bool:
    """Return whether a number equals a duration or size in a text, converted to another unit.

    `number` is in digits, with or without a unit. A unit of `text` without a number counts as one.
    """
    for scale in _SCALES:
        amounts = [scale[unit] for unit in units_of(text, language) if unit in scale]
        for value, units in quantities_of(text, language).items():
            amounts += [float(value) * scale[unit] for unit in units if unit and unit in scale]
        for value, units in quantities_of(number, language).items():
            for unit in scale if units <= {""} else units & scale.keys():
                if any(math.isclose(float(value) * scale[unit], amount) for amount in amounts):
                    return True
    return False
