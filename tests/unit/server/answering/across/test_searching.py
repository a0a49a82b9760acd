"""Results of several sites in one list."""

from pathlib import Path

from tests.unit.server.answering.across.sites import asked_site

from pincite_server.answering.across.searching import hits_of_all
from pincite_server.reply.records import SearchHit


def hit(title: str, score: float) -> SearchHit:
    return SearchHit(
        url=f"/{title}", anchor=None, stable_id=title, title=title, heading_path=(title,), score=score, snippet=""
    )


def test_a_place_counts_by_its_rank_within_its_site_and_the_site_s_evidence(tmp_path: Path):
    a, b = (asked_site(tmp_path, name, "Text.", "?", home=name == "b") for name in ("a", "b"))
    found = hits_of_all([(a, [hit("one", 1.0), hit("two", 0.5)], 0.3), (b, [hit("one", 1.0), hit("two", 0.2)], 0.9)], 3)
    assert [(one.site, one.url, one.stable_id, one.score) for one in found] == [
        ("B", "/one", "b:one", 0.9),
        ("A", "https://a.example/one", "a:one", 0.3),
        ("B", "/two", "b:two", 0.18),
    ]
    assert found[1].heading_path == ("A", "one")
