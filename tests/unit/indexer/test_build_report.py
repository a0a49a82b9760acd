"""The report of a build shows how well the model covers the site."""

from pincite_core.deployed.build_facts import BuildFacts
from pincite_core.types import Prompts
from pincite_indexer.build_report import BuildReport, report_lines


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
