"""Corpus mode: retrieve sections, judge the evidence, compose a quoted answer and check it."""

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from pincite_core.search.ranking import RankedSection, SearchResult
from pincite_server.answering.corpus.compose import compose_extractive
from pincite_server.answering.corpus.corpus_context import CorpusContext
from pincite_server.answering.corpus.corpus_evidence import judge_evidence
from pincite_server.answering.corpus.linked_sections import linked_sections, nearest_of_both
from pincite_server.answering.corpus.quoted_passages import QuotedPassages
from pincite_server.answering.generation import PreparedAnswer
from pincite_server.answering.injection_filter import readable_sections
from pincite_server.answering.replies import NEAREST, refuse_no_evidence
from pincite_server.answering.retrieve import SECTIONS, retrieve_candidates
from pincite_server.question.resolve import ResolvedQuestion

__all__ = ("prepare_from_corpus",)


def prepare_from_corpus(resolved: ResolvedQuestion) -> PreparedAnswer:
    """Return a cited answer from the question's scope, or a refusal if the evidence is too weak.

    Both come with the context for a language model, because the model's search queries may find more than the reader's
    words.
    """
    answerer, question, clock = resolved.answerer, resolved.question, resolved.clock
    with clock.stage("embed"):
        encoded = answerer.encode(resolved.query.text, question.embedding, question.embedding_tokens)
    with clock.stage("retrieve"):
        found = retrieve_candidates(answerer, encoded, resolved.query, resolved.scope)
        shown = readable_sections(answerer.index, found.sections[:SECTIONS], resolved.query.text)
        result = replace(found, sections=shown)
        calibration = answerer.calibration_of(resolved.scope.scope_ids)
        evidence = judge_evidence(result.signals, calibration, answerer.policy)
    context = CorpusContext(resolved, result, evidence, found.sections)
    if not evidence.sufficient:
        nearest = _second_step(resolved, encoded.vector, result) if evidence.weak else result.sections
        return PreparedAnswer(resolved, refuse_no_evidence(resolved, result, evidence.value, nearest), context, context)
    with clock.stage("compose"):
        passages = compose_extractive(answerer.index, encoded.vector, question.query, result)
    if not passages:
        refusal = refuse_no_evidence(resolved, result, evidence.value, result.sections)
        return PreparedAnswer(resolved, refusal, context, context)
    quotation = QuotedPassages(context, passages)
    return PreparedAnswer(resolved, quotation.outcome(), context, context, quotation)


def _second_step(
    resolved: ResolvedQuestion, vector: npt.NDArray[np.float32], result: SearchResult
) -> tuple[RankedSection, ...]:
    """Return the nearest sections found by search, by links from them, and beside them. Timed as the stage `follow`."""
    with resolved.clock.stage("follow"):
        nearest = result.sections[:NEAREST]
        around = linked_sections(resolved.answerer.index, vector, nearest, resolved.scope.scope_ids, 1)
        return nearest_of_both(nearest, readable_sections(resolved.answerer.index, around, resolved.query.text))
