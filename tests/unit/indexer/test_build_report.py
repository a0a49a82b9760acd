"""The report of a build shows how well the model covers the site, and which pages are left out."""

from pathlib import Path

from tests.unit.indexer.builds import LEASE, RETRY, Builds, guide, section, stub
from tests.unit.indexer.one_page import document

from pincite_core.deployed.build_facts import BuildFacts
from pincite_core.types import Prompts
from pincite_indexer.build_report import BuildReport, left_out_lines, report_lines


def test_the_report_tells_of_a_model_that_often_stops_short() -> None:
    lines = dict(report_lines(BuildReport(reads=128, cut=0.41)))
    assert lines["Cut"] == (
        "only words find the text after the model's limit of 128 tokens, 41% of the sections have more"
    )
    assert "Cut" not in dict(report_lines(BuildReport(reads=256, cut=0.02)))


def test_the_report_tells_what_went_before_questions_and_passages() -> None:
    facts = BuildFacts(prompts=Prompts("query: ", "passage: "))
    assert (
        dict(report_lines(BuildReport(facts)))["Prompts"] == 'before questions "query: ", before passages "passage: "'
    )
    assert "Prompts" not in dict(report_lines(BuildReport()))


NOINDEX = '<meta name="robots" content="noindex">'


def test_pages_that_are_left_out_are_counted_and_listed_by_reason(tmp_path: Path) -> None:
    builds = Builds(tmp_path)
    builds.add(
        {
            "a.html": guide("A", section("lease", "Leases", LEASE)),
            "b.html": document("<p>x", NOINDEX),
            "c.html": document("<p>x", NOINDEX),
            "d.html": stub("/a.html"),
            "404.html": document("<h1>Not found</h1>"),
        }
    )
    assert builds.report.left_out == {"not-found page": 1, "noindex": 2, "redirect": 1}
    assert left_out_lines(builds.report) == [
        ("noindex", "b.html"),
        ("", "c.html"),
        ("not-found page", "404.html"),
        ("redirect", "d.html"),
    ]
    assert dict(report_lines(builds.report))["Left out"] == "2 noindex, 1 not-found page, 1 redirect"


def test_pages_without_text_and_pages_that_became_empty_are_named(tmp_path: Path) -> None:
    builds = Builds(tmp_path)
    kept = {"a.html": guide("A", section("lease", "Leases", LEASE)), "c.html": guide("C")}
    builds.add({**kept, "b.html": guide("B", section("retry", "Retries", RETRY))})
    assert dict(report_lines(builds.report))["Without text"] == "1: c.html"
    builds.add({**kept, "b.html": guide("B", '<div id="app"></div>')})
    lines = dict(report_lines(builds.report))
    assert lines["Without text"] == "2: b.html, c.html"
    assert lines["Became empty"] == "had text in the last build: /b.html"
    assert "Became empty" not in dict(report_lines(BuildReport()))
