"""The ranking of several sites' replies, and their citations and search results in one list."""

from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.unit.server.federation.sites import asked_site
from tests.unit.server.http.records import ANSWER, CITATION, REFUSAL

from pincite_server.answering.generation import PreparedAnswer
from pincite_server.answering.outcome import Outcome
from pincite_server.federation.federated_site import FederatedSite
from pincite_server.federation.result_merging import SiteReply, merge_hits, merge_replies, rank_replies
from pincite_server.question.resolve import resolve
from pincite_server.reply.records import Answer, Refusal, SearchHit

UNUSED = replace(CITATION, n=None, used=False)


@pytest.fixture(scope="module")
def sites(tmp_path_factory: pytest.TempPathFactory) -> dict[str, FederatedSite]:
    folder = tmp_path_factory.mktemp("sites")
    return {name: asked_site(folder, name, "Text.", "?", home=name == "home") for name in ("home", "a", "b", "c", "d")}


def says(site: FederatedSite, reply: Answer | Refusal) -> SiteReply:
    return SiteReply(site, PreparedAnswer(resolve(site.answerer, site.question), Outcome(reply)))


def answers(site: FederatedSite, evidence: float, **fields: object) -> SiteReply:
    return says(site, replace(ANSWER, evidence=evidence, **fields))


def refuses(site: FederatedSite, evidence: float, **fields: object) -> SiteReply:
    return says(site, replace(REFUSAL, evidence=evidence, **fields))


def order(*replies: SiteReply) -> list[str]:
    return [one.site.name for one in rank_replies(replies)]


def test_the_site_with_the_most_evidence_answers(sites: dict[str, FederatedSite]):
    assert order(answers(sites["a"], 0.7), answers(sites["b"], 0.9), answers(sites["c"], 0.8)) == ["b", "c", "a"]


def test_an_answer_comes_before_a_refusal_though_it_has_less_evidence(sites: dict[str, FederatedSite]):
    assert order(refuses(sites["a"], 0.9), answers(sites["b"], 0.5)) == ["b", "a"]


@pytest.mark.parametrize(
    ("home", "other", "first"), [(0.5, 0.65, "home"), (0.5, 0.68, "a"), (0.98, 0.985, "home"), (0.98, 0.995, "a")]
)
def test_the_page_s_site_answers_unless_the_odds_of_another_are_twice_as_high(
    sites: dict[str, FederatedSite], home: float, other: float, first: str
):
    assert order(answers(sites["a"], other), answers(sites["home"], home))[0] == first


@pytest.mark.parametrize("evidence", [0.0, 1.0])
def test_evidence_at_its_ends_has_an_order_too(sites: dict[str, FederatedSite], evidence: float):
    assert order(answers(sites["a"], evidence), answers(sites["home"], evidence)) == ["home", "a"]


def test_an_empty_site_refuses_last(sites: dict[str, FederatedSite]):
    assert order(refuses(sites["home"], 0.0, code="empty_index"), refuses(sites["a"], 0.0)) == ["a", "home"]


def test_the_best_section_of_each_other_site_that_would_answer_stands_below(sites: dict[str, FederatedSite]):
    own = answers(sites["a"], 0.9, citations=(CITATION, *[UNUSED] * 4))
    ranked = [own, answers(sites["b"], 0.8), refuses(sites["c"], 0.3)]
    reply = merge_replies(own.prepared.outcome, ranked).reply
    assert isinstance(reply, Answer)
    assert [(one.site, one.used, one.n) for one in reply.citations] == [
        ("A", True, 1),
        ("B", False, None),
        *[("A", False, None)] * 3,
    ]


def test_an_answer_that_uses_all_its_places_still_has_three_of_others(sites: dict[str, FederatedSite]):
    own = answers(sites["home"], 0.9, citations=tuple(replace(CITATION, n=n) for n in range(1, 6)))
    ranked = [own, *(answers(sites[name], 0.8) for name in "abcd")]
    reply = merge_replies(own.prepared.outcome, ranked).reply
    assert isinstance(reply, Answer)
    assert [one.site for one in reply.citations] == [*["Home"] * 5, "A", "B", "C"]


def test_a_refusal_shows_the_nearest_of_several_sites_in_turn(sites: dict[str, FederatedSite]):
    ranked = [refuses(sites["a"], 0.4, nearest=(UNUSED,) * 3), answers(sites["b"], 0.3)]
    reply = merge_replies(ranked[0].prepared.outcome, ranked).reply
    assert isinstance(reply, Refusal)
    assert [(one.site, one.used, one.n) for one in reply.nearest] == [
        ("A", False, None),
        ("B", False, None),
        ("A", False, None),
    ]


def hit(title: str, score: float) -> SearchHit:
    return SearchHit(
        url=f"/{title}", anchor=None, stable_id=title, title=title, heading_path=(title,), score=score, snippet=""
    )


def test_a_place_counts_by_its_rank_within_its_site_and_the_site_s_evidence(tmp_path: Path):
    a, b = (asked_site(tmp_path, name, "Text.", "?", home=name == "b") for name in ("a", "b"))
    found = merge_hits([(a, [hit("one", 1.0), hit("two", 0.5)], 0.3), (b, [hit("one", 1.0), hit("two", 0.2)], 0.9)], 3)
    assert [(one.site, one.url, one.stable_id, one.score) for one in found] == [
        ("B", "/one", "b:one", 0.9),
        ("A", "https://a.example/one", "a:one", 0.3),
        ("B", "/two", "b:two", 0.18),
    ]
    assert found[1].heading_path == ("A", "one")
