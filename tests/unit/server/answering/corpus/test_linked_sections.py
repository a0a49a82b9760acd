from dataclasses import replace
from pathlib import Path

import pytest
from tests.factories import PageSource, make_answerer, make_scope

from pincite_core.search.query import parse_query
from pincite_core.search.ranking import RankedSection
from pincite_server.answerer import Answerer
from pincite_server.answering.corpus.linked_sections import linked_sections, nearest_of_both
from pincite_server.answering.pipeline import answer
from pincite_server.answering.retrieve import retrieve
from pincite_server.policy import Policy
from pincite_server.question.question import Question
from pincite_server.question.scope import choose_scope
from pincite_server.reply.records import Refusal

NEW, OLD = make_scope(), make_scope(2, version="1.0", is_last=False)
PAGES = {
    "/docs/leases": PageSource(
        """# Leases
A worker holds a job under a lease.

## Default {#default}
It lasts sixty seconds.

[dead letters](/docs/dead)

[earlier](/1.0/docs/dead)

## Heartbeats {#heartbeats}
The client renews it.

## Losing {#losing}
Another worker takes over.
"""
    ),
    "/docs/dead": PageSource("# Dead letters\nWhat ran out of attempts is kept."),
    "/docs/other": PageSource("# Other\nRoses grow in gardens."),
    "/1.0/docs/dead": PageSource("# Dead letters\nAn earlier text about attempts.", scope_id=2),
}


@pytest.fixture(scope="module")
def answerer(tmp_path_factory: pytest.TempPathFactory) -> Answerer:
    return make_answerer(tmp_path_factory.mktemp("connected"), PAGES, scopes=(NEW, OLD))


def section_at(answerer: Answerer, url: str) -> RankedSection:
    target = answerer.index.target_at(url)
    assert target is not None
    chunk = answerer.index.chunks_of_target(target.target_id)[0]
    return RankedSection(target.target_id, target.target_id, chunk, None, 1.0, 1.0)


def around(answerer: Answerer, url: str, query: str, count: int = 9) -> list[str]:
    found = linked_sections(answerer.index, answerer.encode(query).vector, [section_at(answerer, url)], [1], count)
    targets = [answerer.index.target(section.target_id) for section in found]
    return [f"{answerer.index.page(target.page_id).url}#{target.anchor}".rstrip("#") for target in targets]


def test_a_section_leads_to_what_it_links_its_parent_and_its_neighbours_in_its_own_version(answerer: Answerer) -> None:
    found = around(answerer, "/docs/leases#default", "lease")
    assert set(found) == {"/docs/dead", "/docs/leases", "/docs/leases#heartbeats"}


def test_a_pages_beginning_leads_to_its_sections(answerer: Answerer) -> None:
    found = around(answerer, "/docs/leases", "lease")
    assert set(found) == {"/docs/leases#default", "/docs/leases#heartbeats", "/docs/leases#losing"}


def test_the_nearest_to_the_question_comes_first_and_the_count_is_kept(answerer: Answerer) -> None:
    assert around(answerer, "/docs/leases#default", "What ran out of attempts is kept.", 1) == ["/docs/dead"]


def weak_refusal(folder: Path, query: str, pages: dict[str, PageSource]) -> tuple[Refusal, list[int]]:
    """Return the refusal of a question with just too little evidence, and the chunks that its search found."""
    answerer = make_answerer(folder, pages, scopes=(NEW, OLD), policy=Policy(evidence_threshold=0.0))
    evidence = answer(answerer, Question(query)).evidence
    weak = make_answerer(folder, pages, scopes=(NEW, OLD), policy=Policy(evidence_threshold=min(1.0, evidence * 1.5)))
    reply = answer(weak, Question(query))
    assert isinstance(reply, Refusal)
    found = retrieve(weak, weak.encode(query), parse_query(query), choose_scope(weak.index)[0]).sections
    return reply, [section.chunk.chunk_id for section in found]


def test_weak_evidence_is_followed_and_three_sections_are_shown_all_the_same(tmp_path: Path) -> None:
    reply, found = weak_refusal(tmp_path, "Does the client renew a lease by telegraph in Norway?", PAGES)
    assert [citation.chunk_id for citation in reply.nearest] == found[:3]
    assert "follow" in reply.timings_ms


def test_a_section_on_another_page_that_is_nearer_than_all_found_takes_the_last_place(answerer: Answerer) -> None:
    other, beside, dead = (section_at(answerer, url) for url in ("/docs/other", "/docs/leases#default", "/docs/dead"))
    found = (replace(other, cosine=0.5), replace(beside, cosine=0.4))
    assert nearest_of_both(found, [replace(dead, cosine=0.6)]) == (found[0], replace(dead, cosine=0.6))
    assert nearest_of_both(found, [replace(dead, cosine=0.45)]) == found
    assert nearest_of_both(found, []) == found


def test_a_section_beside_one_that_was_found_takes_no_place(answerer: Answerer) -> None:
    found = (replace(section_at(answerer, "/docs/leases#default"), cosine=0.5),)
    assert nearest_of_both(found, [replace(section_at(answerer, "/docs/leases#losing"), cosine=0.9)]) == found


def test_evidence_far_below_the_threshold_is_not_followed(tmp_path: Path) -> None:
    answerer = make_answerer(tmp_path, PAGES, scopes=(NEW, OLD), policy=Policy(evidence_threshold=1.0))
    reply = answer(answerer, Question("Who won the zeppelin championship?"))
    assert isinstance(reply, Refusal)
    assert len(reply.nearest) <= 3
    assert "follow" not in reply.timings_ms
