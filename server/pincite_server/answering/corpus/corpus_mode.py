"""Corpus mode: retrieve, judge the evidence, compose, guard."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pincite_core.search.evidence import Calibration, EvidenceSignals, evidence_probability
from pincite_core.search.ranking import RankedSection, SearchResult
from pincite_server.answering.corpus.compose import compose_extractive
from pincite_server.answering.corpus.connected import connected_sections, nearest_of_both
from pincite_server.answering.corpus.corpus_material import CorpusMaterial
from pincite_server.answering.corpus.quoted_passages import QuotedPassages
from pincite_server.answering.material import Prepared
from pincite_server.answering.replies import NEAREST, refuse_no_evidence
from pincite_server.answering.retrieve import retrieve_distinct
from pincite_server.answering.situation import Situation
from pincite_server.answering.spoken_to import sections_for_readers
from pincite_server.policy import Policy
from pincite_server.reply.records import Refusal

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
    if not passages:
        return Prepared(refuse_no_evidence(situation, result, evidence.value, result.sections))
    material = CorpusMaterial(situation, result, evidence.value)
    quotation = QuotedPassages(material, passages)
    outcome = quotation.outcome()
    if isinstance(outcome.reply, Refusal):
        return Prepared(outcome)
    return Prepared(outcome, material, quotation)


def _second_step(
    situation: Situation, vector: npt.NDArray[np.float32], result: SearchResult
) -> tuple[RankedSection, ...]:
    """Return the nearest sections, those around them looked through as well; the time shows as `follow`."""
    with situation.clock.stage("follow"):
        nearest = result.sections[:NEAREST]
        around = connected_sections(situation.answerer.index, vector, nearest, situation.scope.scope_ids, 1)
        return nearest_of_both(nearest, sections_for_readers(situation.answerer.index, around, situation.query.text))
