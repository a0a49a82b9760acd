"""Selection mode: answer from the passage alone, validate every sentence against it, or refuse with the reasons."""

import dataclasses

from pincite_server.answering.guard import guard_answer
from pincite_server.answering.markdown import escape_prose
from pincite_server.answering.passage.passage import PassageAnswer, answer_from_passage
from pincite_server.answering.passage.passage_material import PassageMaterial
from pincite_server.answering.passage.passage_replies import cite_passage, refuse_passage
from pincite_server.answering.passage.provenance import Place, locate_passage
from pincite_server.answering.situation import Situation
from pincite_server.answering.written.material import Prepared
from pincite_server.grounding.verdict import validate_grounding
from pincite_server.guards.chain import Claim, Draft
from pincite_server.model import Answer, GroundingScores, Notice, Refusal, ShownClaim

__all__ = ("prepare_from_selection",)


def prepare_from_selection(situation: Situation) -> Prepared:
    """Return the passage's own sentences that answer, or a refusal with the related sections of the site."""
    engine, question = situation.engine, situation.question
    assert question.selection is not None
    passage = question.selection.text
    with situation.clock.stage("provenance"):
        place = locate_passage(engine.index, passage, question.selection.page_url)
    if place is None:
        situation = situation.with_notices(Notice("selection_unproved", situation.say("selection_unproved")))
    with situation.clock.stage("compose"):
        about = " ".join(place.target.heading_path) if place else ""
        found = answer_from_passage(passage, question.query, engine.embedder.encode, situation.scope.locale, about)
    if not found.units:
        return Prepared(refuse_passage(situation, passage, found.score))
    material = PassageMaterial(situation, passage, found.score, place, situation.engine.policy.grounding_mode)
    return Prepared(_validated(situation, passage, found, place), material)


def _validated(situation: Situation, passage: str, found: PassageAnswer, place: Place | None) -> Answer | Refusal:
    engine = situation.engine
    texts = [passage[unit.start : unit.end] for unit in found.units]
    with situation.clock.stage("guard"):
        draft = Draft("extractive", tuple(Claim(text, passage) for text in texts), (passage,))
        verdict = guard_answer(draft, engine.policy)
        grounding = validate_grounding(
            passage,
            situation.question.query,
            "\n".join(texts),
            engine.embedder.encode,
            mode=engine.policy.grounding_mode,
            language=situation.language,
        )
    scores = GroundingScores(grounding.similarity, grounding.keyword_overlap)
    if verdict.info.used_fallback or not grounding.grounded:
        failed = dataclasses.replace(verdict.info, passed=False, used_fallback=True)
        return refuse_passage(situation, passage, found.score, grounding.reasons, failed, scores)
    return Answer(
        mode="selection",
        scope=situation.scope,
        notices=situation.notices,
        evidence=round(found.score, 4),
        learning_suggestions=(),
        composer="extractive",
        deltas=_deltas(passage, found),
        citations=(cite_passage(situation, passage, place),),
        validation=verdict.info,
        grounding=scores,
        timings_ms=situation.clock.timings(),
        claims=tuple(ShownClaim(text, "quoted", (1,), text) for text in texts),
    )


def _deltas(passage: str, found: PassageAnswer) -> tuple[str, ...]:
    deltas: list[str] = []
    for unit in found.units:
        text = passage[unit.start : unit.end]
        gap = "" if not deltas else "\n\n" if unit.kind == "code" else " "
        deltas.append(f"{gap}{text}\n[1]" if unit.kind == "code" else f"{gap}{escape_prose(text)} [1]")
    return tuple(deltas)
