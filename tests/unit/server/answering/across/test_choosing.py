"""Which site's reply a reader gets, and what stands below it."""

import pytest
from msgspec.structs import replace
from tests.unit.server.answering.across.sites import asked_site
from tests.unit.server.http.records import ANSWER, CITATION, REFUSAL

from pincite_server.answering.across.asked_site import AskedSite
from pincite_server.answering.across.choosing import SiteReply, best_first, of_site, with_others
from pincite_server.answering.material import Prepared
from pincite_server.answering.outcome import Outcome
from pincite_server.question.resolve import resolve
from pincite_server.reply.records import Answer, Refusal

UNUSED = replace(CITATION, n=None, used=False)


@pytest.fixture(scope="module")
def sites(tmp_path_factory: pytest.TempPathFactory) -> dict[str, AskedSite]:
    folder = tmp_path_factory.mktemp("sites")
    named = {name: asked_site(folder, name, "Text.", "?", home=name == "home") for name in ("home", "a", "b", "c", "d")}
    return named | {"untitled": asked_site(folder, "untitled", "Text.", "?", title="")}


def says(site: AskedSite, reply: Answer | Refusal) -> SiteReply:
    return SiteReply(site, Prepared(resolve(site.answerer, site.question), Outcome(reply)))


def answers(site: AskedSite, evidence: float, **fields: object) -> SiteReply:
    return says(site, replace(ANSWER, evidence=evidence, **fields))


def refuses(site: AskedSite, evidence: float, **fields: object) -> SiteReply:
    return says(site, replace(REFUSAL, evidence=evidence, **fields))


def order(*replies: SiteReply) -> list[str]:
    return [one.site.name for one in best_first(replies)]


def test_the_site_with_the_most_evidence_answers(sites: dict[str, AskedSite]):
    assert order(answers(sites["a"], 0.7), answers(sites["b"], 0.9), answers(sites["c"], 0.8)) == ["b", "c", "a"]


def test_an_answer_comes_before_a_refusal_though_it_has_less_evidence(sites: dict[str, AskedSite]):
    assert order(refuses(sites["a"], 0.9), answers(sites["b"], 0.5)) == ["b", "a"]


@pytest.mark.parametrize(
    ("home", "other", "first"), [(0.5, 0.65, "home"), (0.5, 0.68, "a"), (0.98, 0.985, "home"), (0.98, 0.995, "a")]
)
def test_the_page_s_site_answers_unless_the_odds_of_another_are_twice_as_high(
    sites: dict[str, AskedSite], home: float, other: float, first: str
):
    assert order(answers(sites["a"], other), answers(sites["home"], home))[0] == first


@pytest.mark.parametrize("evidence", [0.0, 1.0])
def test_evidence_at_its_ends_has_an_order_too(sites: dict[str, AskedSite], evidence: float):
    assert order(answers(sites["a"], evidence), answers(sites["home"], evidence)) == ["home", "a"]


def test_an_empty_site_refuses_last(sites: dict[str, AskedSite]):
    assert order(refuses(sites["home"], 0.0, code="empty_index"), refuses(sites["a"], 0.0)) == ["a", "home"]


def test_the_best_section_of_each_other_site_that_would_answer_stands_below(sites: dict[str, AskedSite]):
    own = answers(sites["a"], 0.9, citations=(CITATION, *[UNUSED] * 4))
    ranked = [own, answers(sites["b"], 0.8), refuses(sites["c"], 0.3)]
    reply = with_others(own.prepared.outcome, ranked).reply
    assert isinstance(reply, Answer)
    assert [(one.site, one.used, one.n) for one in reply.citations] == [
        ("A", True, 1),
        ("B", False, None),
        *[("A", False, None)] * 3,
    ]


def test_an_answer_that_uses_all_its_places_still_has_three_of_others(sites: dict[str, AskedSite]):
    own = answers(sites["home"], 0.9, citations=tuple(replace(CITATION, n=n) for n in range(1, 6)))
    ranked = [own, *(answers(sites[name], 0.8) for name in "abcd")]
    reply = with_others(own.prepared.outcome, ranked).reply
    assert isinstance(reply, Answer)
    assert [one.site for one in reply.citations] == [*["Home"] * 5, "A", "B", "C"]


def test_a_refusal_shows_the_nearest_of_several_sites_in_turn(sites: dict[str, AskedSite]):
    ranked = [refuses(sites["a"], 0.4, nearest=(UNUSED,) * 3), answers(sites["b"], 0.3)]
    reply = with_others(ranked[0].prepared.outcome, ranked).reply
    assert isinstance(reply, Refusal)
    assert [(one.site, one.used, one.n) for one in reply.nearest] == [
        ("A", False, None),
        ("B", False, None),
        ("A", False, None),
    ]


def test_a_place_says_its_site_in_every_way(sites: dict[str, AskedSite]):
    away, home = (of_site(CITATION, sites[name]) for name in ("a", "home"))
    assert (away.site, away.heading_path) == ("A", ("A", "Install", "Docker"))
    assert (away.url, home.url) == ("https://a.example/kit/install#docker", "/kit/install#docker")
    assert away.stable_id == "a:guides/install#docker"
    assert of_site(CITATION, sites["untitled"]).site == "untitled"
    assert of_site(replace(CITATION, url=None), sites["a"]).url is None
