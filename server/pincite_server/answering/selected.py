"""Selection mode: answer from the passage alone, validate every sentence against it, or refuse with the reasons."""

import dataclasses

from pincite_core.tokens import terms
from pincite_server.answering.citations import cite_target, excerpt_of
from pincite_server.answering.guard import guard_answer
from pincite_server.answering.markdown import escape_prose
from pincite_server.answering.refusals import refuse
from pincite_server.answering.retrieve import retrieve
from pincite_server.answering.situation import Situation
from pincite_server.answering.topics import missing_topics
from pincite_server.guards.chain import Claim, Draft
from pincite_server.model import Answer, Citation, GroundingScores, Notice, Refusal, ValidationInfo
from pincite_server.selection.grounding import validate_grounding
from pincite_server.selection.passage import PassageAnswer, answer_from_passage
from pincite_server.selection.provenance import Place, locate_passage

__all__ = ("answer_from_selection",)


def answer_from_selection(situation: Situation) -> Answer | Refusal:
    """Return the passage's own sentences that answer, or a refusal with the related sections of the site."""
    engine, question = situation.engine, situation.question
    assert question.selection is not None
    passage = question.selection.text
    with situation.clock.stage("provenance"):
        place = locate_passage(engine.index, passage, question.selection.page_url)
    if place is None:
        situation = situation.with_notices(Notice("selection_unproved", situation.say("selection_unproved")))
    with situation.clock.stage("compose"):
        found = answer_from_passage(passage, question.query, engine.embedder.encode, situation.scope.locale)
    if not found.units:
        return _refuse(situation, passage, found.score)
    return _validated(situation, passage, found, place)


def _validated(situation: Situation, passage: str, found: PassageAnswer, place: Place | None) -> Answer | Refusal:
    engine = situation.engine
    texts = [passage[unit.start : unit.end] for unit in found.units]
    with situation.clock.stage("guard"):
        draft = Draft("extractive", tuple(Claim(text, passage) for text in texts), (passage,))
        verdict = guard_answer(draft, engine.policy)
        grounding = validate_grounding(
            passage,
            situation.question.query,
            " ".join(texts),
            engine.embedder.encode,
            mode=engine.policy.grounding_mode,
            language=situation.language,
        )
    scores = GroundingScores(grounding.similarity, grounding.keyword_overlap)
    if verdict.info.used_fallback or not grounding.grounded:
        failed = dataclasses.replace(verdict.info, passed=False, used_fallback=True)
        return _refuse(situation, passage, found.score, grounding.reasons, failed, scores)
    return Answer(
        mode="selection",
        scope=situation.scope,
        notices=situation.notices,
        evidence=round(found.score, 4),
        learning_suggestions=(),
        composer="extractive",
        deltas=_deltas(passage, found),
        citations=(_citation(situation, passage, place),),
        validation=verdict.info,
        grounding=scores,
        timings_ms=situation.clock.timings(),
    )


def _deltas(passage: str, found: PassageAnswer) -> tuple[str, ...]:
    deltas: list[str] = []
    for unit in found.units:
        text = passage[unit.start : unit.end]
        gap = "" if not deltas else "\n\n" if unit.kind == "code" else " "
        deltas.append(f"{gap}{text}\n[1]" if unit.kind == "code" else f"{gap}{escape_prose(text)} [1]")
    return tuple(deltas)


def _citation(situation: Situation, passage: str, place: Place | None) -> Citation:
    """Return the one citation: the target that holds the passage, or an unproved one without a URL."""
    excerpt = excerpt_of(passage)
    if place is None:
        return _unproved(excerpt)
    return cite_target(situation.engine.index, place.target.target_id, 1, excerpt, place.chunk_id)


def _unproved(excerpt: str) -> Citation:
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
    situation: Situation,
    passage: str,
    evidence: float,
    reasons: tuple[str, ...] = (),
    validation: ValidationInfo | None = None,
    scores: GroundingScores | None = None,
) -> Refusal:
    """Refuse with the exact sentence, the question's words that the passage lacks, and related sections of the site."""
    engine, question = situation.engine, situation.question
    with situation.clock.stage("retrieve"):
        vector = engine.embed(question.query, question.embedding)
        result = retrieve(engine, vector, question.query, situation.scope)
    lacking = missing_topics(result.query.text, result.rarity, frozenset(terms(passage)))
    named = tuple(situation.say("reason_not_in_selection", term=f"*{word}*") for word in lacking)
    return refuse(
        situation,
        "not_in_selection",
        situation.say("not_in_selection"),
        mode="selection",
        result=result,
        evidence=evidence,
        suggestions=("suggest_whole_site", "suggest_rephrase"),
        learning=lacking,
        reasons=reasons or named or (situation.say("reason_unrelated"),),
        validation=validation,
        grounding=scores,
    )
