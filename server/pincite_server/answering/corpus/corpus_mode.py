"""Corpus mode: retrieve, judge the evidence, compose, guard."""

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from pincite_core.search.ranking import RankedSection, SearchResult
from pincite_server.answering.corpus.compose import compose_extractive
from pincite_server.answering.corpus.connected import connected_sections, nearest_of_both
from pincite_server.answering.corpus.corpus_evidence import judge_evidence
from pincite_server.answering.corpus.corpus_material import CorpusMaterial
from pincite_server.answering.corpus.quoted_passages import QuotedPassages
from pincite_server.answering.material import Prepared
from pincite_server.answering.replies import NEAREST, refuse_no_evidence
from pincite_server.answering.retrieve import SECTIONS, retrieve_candidates
from pincite_server.answering.situation import Situation
from pincite_server.answering.spoken_to import sections_for_readers

__all__ = ("prepare_from_corpus",)


def prepare_from_corpus(situation: Situation) -> Prepared:
    """Return a cited answer from the situation's scope, or a refusal when the evidence is too weak.

    Either comes with the material that a language model may read: its own search queries may find what the reader's
    words did not.
    """
    answerer, question, clock = situation.answerer, situation.question, situation.clock
    with clock.stage("embed"):
        encoded = answerer.encode(situation.query.text, question.embedding, question.embedding_tokens)
    with clock.stage("retrieve"):
        found = retrieve_candidates(answerer, encoded, situation.query, situation.scope)
        shown = sections_for_readers(answerer.index, found.sections[:SECTIONS], situation.query.text)
        result = replace(found, sections=shown)
        calibration = answerer.calibration_of(situation.scope.scope_ids)
        evidence = judge_evidence(result.signals, calibration, answerer.policy)
    material = CorpusMaterial(situation, result, evidence, found.sections)
    if not evidence.sufficient:
        nearest = _second_step(situation, encoded.vector, result) if evidence.weak else result.sections
        return Prepared(refuse_no_evidence(situation, result, evidence.value, nearest), material, material)
    with clock.stage("compose"):
        passages = compose_extractive(answerer.index, encoded.vector, question.query, result)
    if not passages:
        return Prepared(refuse_no_evidence(situation, result, evidence.value, result.sections), material, material)
    quotation = QuotedPassages(material, passages)
    return Prepared(quotation.outcome(), material, material, quotation)


def _second_step(
    situation: Situation, vector: npt.NDArray[np.float32], result: SearchResult
) -> tuple[RankedSection, ...]:
    """Return the nearest sections, those around them looked through as well; the time shows as `follow`."""
    with situation.clock.stage("follow"):
        nearest = result.sections[:NEAREST]
        around = connected_sections(situation.answerer.index, vector, nearest, situation.scope.scope_ids, 1)
        return nearest_of_both(nearest, sections_for_readers(situation.answerer.index, around, situation.query.text))
