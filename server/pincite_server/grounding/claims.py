"""How far a claim is proved by what it cites: verified, doubtful, or unsupported.

It is compared with the sentence or two that say it, not with the share of words of a whole excerpt. Unsupported is
only what cannot be true of the docs: a name, a piece of code, a number that nothing shown has, or words that nothing
shown is about. What the words cannot settle is doubtful.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from pincite_core.quoting.quantities import (
    contradicted_numbers,
    quantities_of,
    unsaid_counts,
    unsupported_quantities,
    unsupported_units,
)
from pincite_server.grounding.code_names import CONSTANTS, code_spans, missing_code, missing_literals, without_code
from pincite_server.grounding.contradiction import Nearest, contrasts, exchanges, negation_differs, overstates
from pincite_server.grounding.conversions import comes_to
from pincite_server.grounding.entity_swap import misplaces
from pincite_server.grounding.evidence import Evidence, leads_in, plain_text
from pincite_server.grounding.general_words import general_stems
from pincite_server.grounding.names import unsupported_names
from pincite_server.grounding.nearness import Nearness
from pincite_server.grounding.stems import all_stems, asserted_stems, respelled

__all__ = ("ClaimVerdict", "Doubt", "Proof", "judge_claim")

Proof = Literal["verified", "doubtful", "unsupported"]
Doubt = Literal["name", "number", "words", "code", "negation", "opposite", "strength", "exchange"]
"""What a claim has that the cited words lack, or that they turn round."""

_OF_WORDS: tuple[Doubt, ...] = ("words",)
_OFF_SUBJECT = 0.6  # share of a claim's words that nothing shown has, from which nothing shown is about it
_FEWEST_WORDS = 3  # telling words; of fewer every word must be missing
_SHORTEST_ROOT, _LONGEST_ENDING = 4, 3  # letters: fail, failur
_CODE_REACH = 4  # sentences from what a claim says within which its code must stand
_NEW_WORDS, _NEW_SHARE = 2, 0.2  # of a claim's telling words, from which they are no other way of saying it
_NEW_PAIRS = 0.5
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_ROOT = re.compile(r"[A-Z][a-z]{3,}")  # of a name: Mongo of MongoDB and of MongoNamingStrategy
_SENTENCE_START = re.compile(r"(?:^|(?<=[.!?] ))[A-Z][a-z]*\b")
_DIGIT = re.compile(r"\d")
_GENERAL_WEIGHT = 0.25
_CODE_WEIGHT = 2.0


@dataclass(frozen=True, slots=True)
class ClaimVerdict:
    """How far a claim is proved, what speaks against it, and the docs' own words nearest to it."""

    proof: Proof
    doubts: tuple[Doubt, ...]
    quote: str


def judge_claim(
    claim: str, cited: Evidence, shown: Evidence, question: str = "", nearness: Nearness | None = None
) -> ClaimVerdict:
    """Judge one sentence, list item or heading of an answer.

    Args:
        claim: Without markers and list marks.
        cited: The excerpts that it cites, with their headings.
        shown: All excerpts that its writer was shown.
        question: What was asked; what only repeats the question is no invention.
        nearness: What a model says of the claim's words, where it can.
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
    doubts = tuple(dict.fromkeys(_doubts(claim, cited, near, question)))
    if nearness is not None:
        doubts = _looked_at_again(doubts, claim, cited, nearness)
    return ClaimVerdict("doubtful" if doubts else "verified", doubts, quote)


def _invented(claim: str, shown: Evidence, question: str) -> Iterator[Doubt]:
    """Yield what a claim names that neither an excerpt, nor a heading, nor the question has."""
    known, language = f"{shown.text} {plain_text(question)}", shown.language
    held = shown.held | frozenset(all_stems(question, language))
    unheard = [name for name in unsupported_names(_body(claim), held, language) if not _is_said_of(name, shown)]
    if unheard or any(literal not in CONSTANTS for literal in missing_literals(claim, known)):
        yield "name"
    if _DIGIT.search(claim):  # most claims have none, and all that was shown is long
        numbers = unsupported_quantities(claim, quantities_of(known, language), language)
        if not all(comes_to(number, question, language) for number in numbers):
            yield "number"


def _is_said_of(name: str, shown: Evidence) -> bool:
    """Whether a name in the code that was shown begins as a name does: `MongoNamingStrategy` is of MongoDB."""
    root = _ROOT.match(name)
    return root is not None and re.search(rf"\b{root.group().lower()}", shown.code) is not None


def _is_off_subject(claim: str, shown: Evidence, question: str) -> bool:
    """Whether most of what a claim is about is in nothing that was shown, and it has no code that is."""
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
    if _code_elsewhere(claim, cited, near, question):
        yield "code"
    if negation_differs(claim, near):
        yield "negation"
    if contrasts(claim, near):
        yield "opposite"
    if overstates(claim, near):
        yield "strength"
    if exchanges(claim, near):
        yield "exchange"


def _looked_at_again(doubts: tuple[Doubt, ...], claim: str, cited: Evidence, nearness: Nearness) -> tuple[Doubt, ...]:
    """Return the doubts once a model has read the words: new ones may say the same, and the docs' own another thing."""
    if doubts == _OF_WORDS and nearness.keeps(claim, cited):
        return ()
    return _OF_WORDS if not doubts and not leads_in(claim) and nearness.strays(claim, cited) else doubts


def _numbers_doubtful(claim: str, cited: Evidence, near: Nearest, question: str) -> bool:
    beside, language = " ".join((near.text, *near.headings, question)), near.language
    held = quantities_of(f"{beside} {claim if not near.sentences else ''}", language)
    return bool(
        unsupported_quantities(claim, held, language)
        or contradicted_numbers(claim.replace("`", ""), near.text, f"{' '.join(cited.headings)} {question}", language)
        or unsupported_units(claim, f"{near.wider} {question}", language)
        or _counts_otherwise(claim, cited, question)
    )


def _counts_otherwise(claim: str, cited: Evidence, question: str) -> bool:
    """Whether a claim counts what nothing cited counts so; what leads in a list has the docs' own lists to go by."""
    told = f"{cited.text} {question}"
    if leads_in(claim):
        if not cited.list_lengths:
            return False
        told = f"{told} {' '.join(map(str, sorted(cited.list_lengths)))}"
    return bool(unsaid_counts(without_code(claim), told, cited.language))


def _code_elsewhere(claim: str, cited: Evidence, near: Nearest, question: str) -> bool:
    """Whether a claim has code that its excerpts have, but not where they say the rest."""
    places = [place for place, sentence in enumerate(cited.sentences) if sentence in near.sentences]
    wider = cited.said(cited.around(places, _CODE_REACH))
    text = plain_text(" ".join((wider, *near.headings, question)))
    return any(missing_code(span, text) for span in code_spans(claim))


def _says_more(claim: str, held: frozenset[str], language: str) -> bool:
    """Whether a claim has more new words than a writer's own way of saying it brings in, or none that tell anything."""
    telling = set(_telling(claim, language))
    if not telling:
        return not code_spans(claim) and not any(stem.isdigit() for stem in asserted_stems(claim, language))
    new = sum(_is_new(stem, held) for stem in telling)
    if _CJK.search(claim):  # pairs of characters, of which those across words are new in any sentence
        return new >= _NEW_PAIRS * len(telling)
    return new >= _NEW_WORDS or new >= max(1, _NEW_SHARE * len(telling))


def _telling(claim: str, language: str) -> list[str]:
    """Return the stems of a claim that say more than general words and numbers do."""
    general = general_stems(language)
    return [stem for stem in asserted_stems(claim, language) if stem not in general and not stem.isdigit()]


def _is_new(stem: str, held: frozenset[str]) -> bool:
    """Whether no held stem is this one, spelled or derived otherwise."""
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
        weight = _CODE_WEIGHT if is_code else _GENERAL_WEIGHT if stem in general else 1.0
        weights[respelled(stem, cited.held)] = weight
    return weights


def _body(claim: str) -> str:
    """Return a claim without code and without the capitals that begin its sentences, which any word may have."""
    return _SENTENCE_START.sub(lambda start: start.group().lower(), without_code(claim).strip())
