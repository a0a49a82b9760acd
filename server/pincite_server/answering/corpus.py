"""Corpus mode: retrieve, judge the evidence, compose, guard."""

from collections.abc import Sequence

from pincite_core.search import SearchResult
from pincite_server.answering.citations import MAX_CITATIONS, cite_all
from pincite_server.answering.compose import Statement, compose_extractive
from pincite_server.answering.evidence import judge_evidence
from pincite_server.answering.guard import GuardVerdict, guard_answer, references_hold
from pincite_server.answering.refusals import refuse, refuse_no_evidence
from pincite_server.answering.render import render_statements
from pincite_server.answering.retrieve import retrieve
from pincite_server.answering.situation import Situation
from pincite_server.answering.topics import missing_topics
from pincite_server.guards.chain import Claim, Draft
from pincite_server.guards.fallback import FallbackHandler
from pincite_server.model import Answer, Citation, Refusal

__all__ = ("answer_from_corpus",)


def answer_from_corpus(situation: Situation) -> Answer | Refusal:
    """Return a cited answer from the situation's scope, or a refusal when the evidence is too weak."""
    engine, question, clock = situation.engine, situation.question, situation.clock
    with clock.stage("embed"):
        vector = engine.embed(question.query, question.embedding)
    with clock.stage("retrieve"):
        result = retrieve(engine, vector, question.query, situation.scope)
        evidence = judge_evidence(result.signals, engine.calibration, engine.policy)
    if not evidence.sufficient:
        return refuse_no_evidence(situation, result, evidence.value)
    with clock.stage("compose"):
        statements = compose_extractive(engine.index, vector, question.query, result)
        numbers, citations = cite_all(engine.index, statements, result.sections)
    if not statements:
        return refuse_no_evidence(situation, result, evidence.value)
    with clock.stage("guard"):
        invalid = references_hold(engine.index, citations)
        verdict = guard_answer(_draft(statements, result), engine.policy, invalid)
    if verdict.info.used_fallback:
        return _fall_back(situation, result, verdict, evidence.value)
    deltas = render_statements(statements, numbers)
    return _answer(situation, result, deltas, citations, verdict, evidence.value)


def _draft(statements: Sequence[Statement], result: SearchResult) -> Draft:
    claims = tuple(Claim(statement.text, statement.chunk.text) for statement in statements)
    return Draft("extractive", claims, tuple(section.chunk.text for section in result.sections[:MAX_CITATIONS]))


def _answer(
    situation: Situation,
    result: SearchResult,
    deltas: tuple[str, ...],
    citations: tuple[Citation, ...],
    verdict: GuardVerdict,
    evidence: float,
) -> Answer:
    warning = (f"\n\n{situation.say('speculative')}",) if verdict.warn else ()
    topics = () if verdict.result.passed else missing_topics(result.query.text, result.rarity)
    return Answer(
        mode="corpus",
        scope=situation.scope,
        notices=situation.notices,
        evidence=round(evidence, 4),
        learning_suggestions=topics,
        composer="extractive",
        deltas=(*deltas, *warning),
        citations=citations,
        validation=verdict.info,
        timings_ms=situation.clock.timings(),
    )


def _fall_back(situation: Situation, result: SearchResult, verdict: GuardVerdict, evidence: float) -> Refusal:
    handler = FallbackHandler(situation.corpus, situation.engine.built_on)
    message = handler.get_fallback_answer(situation.language, verdict.result)
    return refuse(situation, "no_evidence", message, result=result, evidence=evidence, validation=verdict.info)
