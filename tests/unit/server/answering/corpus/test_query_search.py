"""The searches behind a written answer, fused."""

from dataclasses import replace
from pathlib import Path

import pytest
from tests.factories import make_answerer

from pincite_server.answering.corpus.corpus_context import CorpusContext
from pincite_server.answering.corpus.corpus_evidence import Evidence
from pincite_server.answering.corpus.query_search import fused_sections
from pincite_server.answering.generation import QuerySearch
from pincite_server.answering.pipeline import prepare
from pincite_server.question.question import Question
from pincite_server.question.resolve import resolve

PAGES = {
    "/docs/leases": "# Leases\nA lease lasts 30 seconds and is extended by its worker.",
    "/docs/visibility": "# Visibility timeout\nA job is hidden from other workers for the visibility timeout.",
    "/docs/logs": "# Logs\nLogs are rotated by size.",
}


@pytest.fixture
def context(tmp_path: Path) -> CorpusContext:
    found = prepare(resolve(make_answerer(tmp_path, PAGES), Question("How long does a lease last?"))).context
    assert isinstance(found, CorpusContext)
    return found


def test_what_a_plans_query_finds_first_is_read_beside_what_the_readers_words_find(context: CorpusContext):
    search = context.search("visibility timeout of a job")
    own = QuerySearch("", context.candidates, context.strength.value)
    pages = [section.chunk.page_id for section in fused_sections([own, search])]
    assert set(pages[:2]) == {context.candidates[0].chunk.page_id, search.sections[0].chunk.page_id}
    assert len(pages) == len(set(pages))


def test_a_section_comes_as_the_search_that_ranks_it_best_found_it(context: CorpusContext):
    search = context.search("visibility timeout of a job")
    own = QuerySearch("", context.candidates, context.strength.value)
    assert search.sections[0] in fused_sections([own, search])


def test_one_search_alone_keeps_its_order(context: CorpusContext):
    search = context.search("rotate logs")
    assert fused_sections([search]) == search.sections


@pytest.mark.parametrize(
    ("own", "planned", "is_foreign", "reads"),
    [
        (0.6, 0.1, False, True),
        (0.1, 0.3, False, True),
        (0.1, 0.2, False, False),
        (0.3, 0.9, True, False),
        (0.6, 0.1, True, True),
    ],
    ids=["own words", "a query comes near", "nothing near", "called foreign", "called foreign, but surely there"],
)
def test_only_what_is_clearly_foreign_is_refused_before_the_model_reads(
    context: CorpusContext, own: float, planned: float, is_foreign: bool, reads: bool
):
    searched = replace(context, strength=Evidence(own, 0.5), searches=(QuerySearch("leases", (), planned),))
    assert searched.may_answer(is_foreign=is_foreign) is reads
    assert searched.evidence == max(own, planned)
