"""Corpus mode: retrieve, judge the evidence, compose, guard."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pincite_core.quoting.likelihood import answer_likelihood
from pincite_core.quoting.shown_words import shown_words
from pincite_core.search.evidence import Calibration, EvidenceSignals, evidence_probability
from pincite_core.search.ranking import RankedSection, SearchResult
from pincite_core.types import Landing
from pincite_server.answering.citations import MAX_CITATIONS, cite_all, url_of
from pincite_server.answering.corpus.compose import Passage, Statement, compose_extractive
from pincite_server.answering.corpus.connected import connected_sections, nearest_of_both
from pincite_server.answering.corpus.corpus_material import CorpusMaterial
from pincite_server.answering.corpus.likelihood import answer_signals
from pincite_server.answering.corpus.render import PassageLinks, markers_of, render_passages, title_of
from pincite_server.answering.material import Prepared
from pincite_server.answering.outcome import Outcome
from pincite_server.answering.replies import NEAREST, missing_topics, put_together, refuse_no_evidence
from pincite_server.answering.retrieve import retrieve_distinct
from pincite_server.answering.situation import Situation
from pincite_server.answering.spoken_to import sections_for_readers
from pincite_server.guards.chain import Claim, Draft
from pincite_server.guards.release import GuardVerdict, guard_answer, references_hold
from pincite_server.policy import Policy
from pincite_server.reply.records import Citation, Notice, ShownClaim

__all__ = ("Evidence", "judge_evidence", "prepare_from_corpus")

_WEAK = 0.5  # share of the threshold; what is refused below it is about something else


@dataclass(frozen=True, slots=True)
class Evidence:
    """`value` (0 to 1) is what was compared with `threshold`."""

    value: float
    threshold: float

    @property
    def sufficient(self) -> bool:
        """Whether it is enough to answer; exactly at the threshold is."""
        return self.value >= self.threshold

    @property
    def weak(self) -> bool:
        """Whether it is too little to answer and too much to say that the docs have nothing near."""
        return not self.sufficient and self.value >= _WEAK * self.threshold


def judge_evidence(signals: EvidenceSignals, calibration: Calibration, policy: Policy) -> Evidence:
    """Return the evidence beside the operator's threshold for it."""
    if policy.evidence_mode == "cosine":
        value = max(0.0, min(1.0, signals.best_chunk))
        return Evidence(value, policy.cosine_threshold)
    return Evidence(evidence_probability(signals, calibration), policy.evidence_threshold)


def prepare_from_corpus(situation: Situation) -> Prepared:
    """Return a cited answer from the situation's scope, or a refusal when the evidence is too weak."""
    answerer, question, clock = situation.answerer, situation.question, situation.clock
    with clock.stage("embed"):
        encoded = answerer.encode(situation.query.text, question.embedding, question.embedding_tokens)
    with clock.stage("retrieve"):
        result = retrieve_distinct(answerer, encoded, situation.query, situation.scope)
        calibration = answerer.calibration_of(situation.scope.scope_ids)
        evidence = judge_evidence(result.signals, calibration, answerer.policy)
    if not evidence.sufficient:
        nearest = _second_step(situation, encoded.vector, result) if evidence.weak else result.sections
        return Prepared(refuse_no_evidence(situation, result, evidence.value, nearest))
    with clock.stage("compose"):
        passages = compose_extractive(answerer.index, encoded.vector, question.query, result)
        statements = [statement for passage in passages for statement in passage.statements]
        numbers, citations = cite_all(answerer.index, statements, result.sections)
    if not statements:
        return Prepared(refuse_no_evidence(situation, result, evidence.value, result.sections))
    with clock.stage("guard"):
        invalid = references_hold(answerer.index, citations)
        likely = answer_likelihood(answer_signals(result, passages))
        verdict = guard_answer(_draft(statements, result), answerer.policy, invalid, likely)
    material = CorpusMaterial(situation, result, evidence.value)
    if verdict.info.used_fallback:
        return Prepared(material.fall_back(verdict.result, verdict.info))
    pieces = _rendered(situation, passages, numbers)
    claims = _claims(passages, numbers, citations)
    noted = situation.with_notices(*_untranslated(situation, statements))
    return Prepared(_answer(noted, result, pieces, claims, citations, verdict, evidence.value), material)


def _second_step(
    situation: Situation, vector: npt.NDArray[np.float32], result: SearchResult
) -> tuple[RankedSection, ...]:
    """Return the nearest sections, those around them looked through as well; the time shows as `follow`."""
    with situation.clock.stage("follow"):
        nearest = result.sections[:NEAREST]
        around = connected_sections(situation.answerer.index, vector, nearest, situation.scope.scope_ids, 1)
        return nearest_of_both(nearest, sections_for_readers(situation.answerer.index, around, situation.query.text))


def _untranslated(situation: Situation, statements: Sequence[Statement]) -> tuple[Notice, ...]:
    """Return a notice when a page that is quoted only repeats the default language's text."""
    pages = situation.answerer.index.pages_by_id({statement.chunk.page_id for statement in statements})
    if all(page.translated for page in pages.values()):
        return ()
    return (Notice("untranslated", situation.say("untranslated")),)


def _draft(statements: Sequence[Statement], result: SearchResult) -> Draft:
    claims = tuple(Claim(statement.text, statement.chunk.text) for statement in statements)
    context = tuple(section.chunk.text for section in result.sections[:MAX_CITATIONS])
    return Draft("extractive", claims, context, result.query.language)


def _answer(
    situation: Situation,
    result: SearchResult,
    pieces: tuple[str, ...],
    claims: tuple[ShownClaim, ...],
    citations: tuple[Citation, ...],
    verdict: GuardVerdict,
    evidence: float,
) -> Outcome:
    warning = (f"\n\n{situation.say('speculative')}",) if verdict.warn else ()
    topics = () if verdict.result.passed else missing_topics(result.query, result.rarity)
    return put_together(
        situation,
        mode="corpus",
        composer="extractive",
        pieces=(*pieces, *warning),
        citations=citations,
        evidence=evidence,
        validation=verdict.info,
        learning=topics,
        claims=claims,
    )


def _rendered(situation: Situation, passages: Sequence[Passage], numbers: Mapping[int, int]) -> tuple[str, ...]:
    sections = situation.answerer.index.targets_by_id(passage.section.target_id for passage in passages)
    titles = [title_of(sections[passage.section.target_id].heading_path) for passage in passages]
    return render_passages(passages, titles, numbers, _links(situation, set(sections)))


def _links(situation: Situation, sections: Set[int]) -> PassageLinks:
    """Return where the words of some sections lead to within the site."""
    index = situation.answerer.index
    links = index.links_from(sections)
    targets = index.targets_by_id({link.to_target_id for link in links})
    pages = index.pages_by_id({target.page_id for target in targets.values()})
    found: dict[int, dict[str, str]] = {}
    for link in links:
        target = targets[link.to_target_id]
        url = situation.address(url_of(pages[target.page_id], target))
        found.setdefault(link.from_target_id, {}).setdefault(link.text, url)
    return found


def _claims(
    passages: Sequence[Passage], numbers: Mapping[int, int], citations: Sequence[Citation]
) -> tuple[ShownClaim, ...]:
    """Return what is said, word for word as the docs say it, and where."""
    landings = {citation.n: citation.landing for citation in citations}
    statements = [statement for passage in passages for statement in passage.statements]
    return tuple(
        ShownClaim(
            statement.text,
            "quoted",
            (number,),
            shown_words(statement.text, statement.kind, statement.chunk.text),
            _hidden_by(statement, landings[number]),
            () if marker is None else (marker,),
        )
        for statement, marker in zip(statements, markers_of(passages, numbers), strict=True)
        for number in (numbers[statement.target_id],)
    )


def _hidden_by(statement: Statement, landing: tuple[Landing, ...]) -> tuple[Landing, ...]:
    """Return what hides a statement: what hides its place, and the tab that it stands in below it."""
    tab = Landing("tab", statement.layout.tab)
    return landing if not tab.label or tab in landing else (*landing, tab)
