"""Selection mode: answer from the passage alone, check every sentence against it, or refuse with the reasons."""

import time

import msgspec

from pincite_core.quoting.prompt_injection import addressed_from, asks_about_assistants
from pincite_core.rules import SELECTION
from pincite_core.wording import Key, say
from pincite_server.answering.generation import PreparedAnswer
from pincite_server.answering.markdown import escape_prose
from pincite_server.answering.outcome import GroundingScores, Outcome
from pincite_server.answering.passage.passage import PassageAnswer, answer_from_passage
from pincite_server.answering.passage.passage_context import PassageContext, cite_passage, refuse_passage
from pincite_server.answering.passage.provenance import PassagePlace, locate_passage
from pincite_server.answering.replies import build_answer
from pincite_server.grounding.verdict import validate_grounding
from pincite_server.guards.chain import Claim, Draft
from pincite_server.guards.release import guard_answer
from pincite_server.question.question import Selection
from pincite_server.question.resolve import ResolvedQuestion
from pincite_server.reply.records import Notice, ShownClaim

__all__ = (
    "CLOCK_TOLERANCE",
    "MAX_AGE",
    "MIN_LENGTH",
    "prepare_from_selection",
    "selection_problem",
)

MIN_LENGTH = SELECTION.min_length

MAX_AGE = SELECTION.max_age

CLOCK_TOLERANCE = 5 * 60  # seconds; the tolerance of Kerberos, and few clocks are off by more


def selection_problem(selection: Selection | None, language: str, now: float | None = None) -> Notice | None:
    """Return a notice that says why a selection cannot be used; None if it can be used.

    Args:
        selection: The reader's selection.
        language: The notice's language.
        now: The time in seconds since the epoch; None for the current time.
    """
    key = _problem(selection, time.time() if now is None else now)
    return Notice(key, say(key, language)) if key else None


def _problem(selection: Selection | None, now: float) -> Key | None:
    if selection is None or not selection.text.strip():
        return "selection_missing"
    if len(selection.text.strip()) < MIN_LENGTH:
        return "selection_too_short"
    if selection.captured_at is not None and now - selection.captured_at > MAX_AGE:
        return "selection_stale"
    return None


def prepare_from_selection(resolved: ResolvedQuestion) -> PreparedAnswer:
    """Return the passage's sentences that answer the question, or a refusal with related sections of the site."""
    answerer, question = resolved.answerer, resolved.question
    assert question.selection is not None
    passage = question.selection.text
    with resolved.clock.stage("provenance"):
        place = locate_passage(answerer.index, passage, question.selection.page_url)
    if not asks_about_assistants(question.query):
        passage = passage[: addressed_from(passage)]
    if place is None:
        resolved = resolved.with_notices(Notice("selection_unproved", resolved.say("selection_unproved")))
    with resolved.clock.stage("compose"):
        about = " ".join(place.target.heading_path) if place else ""
        found = answer_from_passage(
            passage, resolved.query.text, answerer.embedder.encode, resolved.scope.locale, about
        )
    if not found.units:
        return PreparedAnswer(resolved, refuse_passage(resolved, passage, found.score))
    context = PassageContext(resolved, passage, found.score, place, resolved.answerer.policy.grounding_mode)
    return PreparedAnswer(resolved, _validated(resolved, passage, found, place), context)


def _validated(resolved: ResolvedQuestion, passage: str, found: PassageAnswer, place: PassagePlace | None) -> Outcome:
    answerer = resolved.answerer
    texts = [passage[unit.start : unit.end] for unit in found.units]
    with resolved.clock.stage("guard"):
        draft = Draft("extractive", tuple(Claim(text, passage) for text in texts), (passage,), resolved.scope.locale)
        verdict = guard_answer(draft, answerer.policy)
        grounding = validate_grounding(
            passage,
            resolved.query.text,
            "\n".join(texts),
            answerer.embedder.encode,
            mode=answerer.policy.grounding_mode,
            language=resolved.language,
            text_language=resolved.scope.locale,
        )
    scores = GroundingScores(grounding.similarity, grounding.keyword_overlap)
    if verdict.info.used_fallback or not grounding.grounded:
        failed = msgspec.structs.replace(verdict.info, passed=False, used_fallback=True)
        return refuse_passage(resolved, passage, found.score, grounding.reasons, failed, scores)
    return build_answer(
        resolved,
        mode="selection",
        composer="extractive",
        pieces=_pieces(passage, found),
        citations=(cite_passage(resolved, passage, place),),
        evidence=found.score,
        validation=verdict.info,
        grounding=scores,
        claims=tuple(ShownClaim(text, "quoted", (1,), text, markers=(at,)) for at, text in enumerate(texts)),
    )


def _pieces(passage: str, found: PassageAnswer) -> tuple[str, ...]:
    pieces: list[str] = []
    for unit in found.units:
        text = passage[unit.start : unit.end]
        gap = "" if not pieces else "\n\n" if unit.kind == "code" else " "
        pieces.append(f"{gap}{text}\n[1]" if unit.kind == "code" else f"{gap}{escape_prose(text)} [1]")
    return tuple(pieces)
