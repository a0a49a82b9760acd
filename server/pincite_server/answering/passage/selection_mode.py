"""Selection mode: answer from the passage alone, check every sentence against it, or refuse with the reasons."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from pincite_core.quoting.prompt_injection import addressed_from, asks_about_assistants
from pincite_core.rules import SELECTION
from pincite_core.search.terms import terms
from pincite_core.units import truncate_to_tokens
from pincite_core.wording import Key, say
from pincite_server.answering.citations import cite_target, excerpt_of
from pincite_server.answering.generation import Citer, Excerpt, PreparedAnswer, WholeCheck
from pincite_server.answering.markdown import escape_prose
from pincite_server.answering.outcome import GroundingScores, Outcome
from pincite_server.answering.passage.passage import PassageAnswer, answer_from_passage, split_passage
from pincite_server.answering.passage.provenance import PassagePlace, locate_passage
from pincite_server.answering.replies import build_answer, missing_topics, refuse
from pincite_server.answering.retrieve import retrieve
from pincite_server.grounding.verdict import Grounding, validate_grounding
from pincite_server.guards.chain import Claim, Draft, ValidationResult
from pincite_server.guards.release import guard_answer
from pincite_server.policy import GroundingMode
from pincite_server.question.question import Selection
from pincite_server.question.resolve import ResolvedQuestion
from pincite_server.reply.records import Citation, Mode, Notice, ShownClaim, ValidationInfo

__all__ = ("CLOCK_TOLERANCE", "MAX_AGE", "MIN_LENGTH", "prepare_from_selection", "selection_problem")

MIN_LENGTH = SELECTION.min_length
CLOCK_TOLERANCE = 5 * 60  # seconds; the tolerance of Kerberos, and few clocks are off by more
MAX_AGE = SELECTION.max_age


def selection_problem(selection: Selection | None, language: str, now: float | None = None) -> Notice | None:
    """Return why a selection cannot be used; None if it can be used. `now` is in seconds since the epoch."""
    key: Key | None = None
    if selection is None or not selection.text.strip():
        key = "selection_missing"
    elif len(selection.text.strip()) < MIN_LENGTH:
        key = "selection_too_short"
    elif selection.captured_at is not None:
        age = (time.time() if now is None else now) - selection.captured_at
        key = "selection_stale" if age > MAX_AGE else None
    return Notice(key, say(key, language)) if key else None


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
        return PreparedAnswer(resolved, _refuse(resolved, passage, found.score))
    material = _PassageContext(resolved, passage, found.score, place)
    return PreparedAnswer(resolved, _validated(resolved, passage, found, place), material)


def _validated(resolved: ResolvedQuestion, passage: str, found: PassageAnswer, place: PassagePlace | None) -> Outcome:
    texts = [passage[unit.start : unit.end] for unit in found.units]
    with resolved.clock.stage("guard"):
        draft = Draft("extractive", tuple(Claim(text, passage) for text in texts), (passage,), resolved.scope.locale)
        verdict = guard_answer(draft, resolved.answerer.policy)
        grounding = _ground(resolved, passage, "\n".join(texts))
    scores = GroundingScores(grounding.similarity, grounding.keyword_overlap)
    if verdict.info.used_fallback or not grounding.grounded:
        failed = msgspec.structs.replace(verdict.info, passed=False, used_fallback=True)
        return _refuse(resolved, passage, found.score, grounding.reasons, failed, scores)
    pieces: list[str] = []
    for unit, text in zip(found.units, texts, strict=True):
        gap = "" if not pieces else "\n\n" if unit.kind == "code" else " "
        pieces.append(f"{gap}{text}\n[1]" if unit.kind == "code" else f"{gap}{escape_prose(text)} [1]")
    return build_answer(
        resolved,
        mode="selection",
        composer="extractive",
        pieces=tuple(pieces),
        citations=(_cite(resolved, passage, place),),
        evidence=found.score,
        validation=verdict.info,
        grounding=scores,
        claims=tuple(ShownClaim(text, "quoted", (1,), text, markers=(at,)) for at, text in enumerate(texts)),
    )


def _ground(resolved: ResolvedQuestion, passage: str, text: str) -> Grounding:
    answerer = resolved.answerer
    return validate_grounding(
        passage,
        resolved.query.text,
        text,
        answerer.embedder.encode,
        mode=answerer.policy.grounding_mode,
        language=resolved.language,
        text_language=resolved.scope.locale,
    )


def _cite(resolved: ResolvedQuestion, passage: str, place: PassagePlace | None) -> Citation:
    """Return the citation of a passage: its target, or an unverified citation without a URL if the place is unknown."""
    excerpt = excerpt_of(passage)
    if place is not None:
        return cite_target(resolved.answerer.index, place.target.target_id, 1, excerpt, place.chunk_id)
    return Citation(
        n=1,
        used=True,
        stable_id="",
        title="",
        heading_path=(),
        section="",
        page="",
        url=None,
        anchor=None,
        chunk_id=None,
        source_type="selected_text",
        excerpt=excerpt,
        verified=False,
    )


def _refuse(
    resolved: ResolvedQuestion,
    passage: str,
    evidence: float,
    reasons: tuple[str, ...] = (),
    validation: ValidationInfo | None = None,
    scores: GroundingScores | None = None,
) -> Outcome:
    """Return the refusal for a passage without the answer, with the question's missing words and related sections."""
    answerer, question = resolved.answerer, resolved.question
    with resolved.clock.stage("retrieve"):
        encoded = answerer.encode(resolved.query.text, question.embedding, question.embedding_tokens)
        result = retrieve(answerer, encoded, resolved.query, resolved.scope)
    lacking = missing_topics(result.query, result.idf, frozenset(terms(passage, result.query.language)))
    named = tuple(resolved.say("reason_not_in_selection", term=f"*{word}*") for word in lacking)
    shares_words = not set(resolved.query.terms).isdisjoint(terms(passage, resolved.query.language))
    general = resolved.say("reason_not_said" if shares_words else "reason_unrelated")
    return refuse(
        resolved,
        "not_in_selection",
        resolved.say("not_in_selection"),
        mode="selection",
        nearest=result.sections,
        evidence=evidence,
        suggestions=("whole_site", "rephrase"),
        learning=lacking,
        reasons=reasons or named or (general,),
        validation=validation,
        grounding=scores,
    )


@dataclass(frozen=True, slots=True)
class _PassageContext:
    """The reader's selection as the material for a model. `place` is its verified position on the page, or None."""

    resolved: ResolvedQuestion
    passage: str
    evidence: float
    place: PassagePlace | None
    mode: Mode = "selection"

    @property
    def grounding_mode(self) -> GroundingMode:
        return self.resolved.answerer.policy.grounding_mode

    def excerpts(self, tokens: int) -> tuple[Excerpt, ...]:
        """Return the passage, or as many of its sentences as fit, without text that addresses the model."""
        passage = self.passage
        if not asks_about_assistants(self.resolved.question.query):
            passage = passage[: addressed_from(passage, mentions=True)]
        end = len(truncate_to_tokens(passage, tokens))
        if end < len(passage):
            units = split_passage(passage, self.resolved.scope.locale)
            end = max((unit.end for unit in units if unit.end <= end), default=end)
        title = " > ".join(self.place.target.heading_path) if self.place else ""
        return (Excerpt(title, passage[:end]),) if passage.strip() else ()

    def citer(self) -> Citer:
        return _PassageCiter(_cite(self.resolved, self.passage, self.place))

    def check_whole(self, text: str, citations: Sequence[Citation]) -> WholeCheck:
        """Compute the grounding scores of the whole text; each claim was already checked."""
        grounding = _ground(self.resolved, self.passage, text)
        return WholeCheck((), GroundingScores(grounding.similarity, grounding.keyword_overlap))

    def topics(self) -> tuple[str, ...]:
        """Return no topics: the only topic is the passage."""
        return ()

    def decline(self) -> Outcome:
        return _refuse(self.resolved, self.passage, self.evidence)

    def fall_back(self, result: ValidationResult, validation: ValidationInfo) -> Outcome:
        """Return the same refusal; its reasons contain only words of the question."""
        return _refuse(self.resolved, self.passage, self.evidence, validation=validation)


@dataclass(frozen=True, slots=True)
class _PassageCiter:
    """Cites the passage for every claim."""

    citation: Citation

    def cite(self, claim: str, excerpts: Sequence[Excerpt]) -> tuple[int, ...]:
        return (1,) if excerpts else ()

    def citations(self) -> tuple[Citation, ...]:
        return (self.citation,)
