"""A build tells how many sections its model does not read to their end."""

from dataclasses import replace

import pytest

from pincite_core.deployed.build_facts import BuildFacts
from pincite_core.embedders import FakeEmbedder
from pincite_core.types import Prompts
from pincite_indexer.build_report import BuildReport, report_lines
from pincite_indexer.vectors.reading_length import share_cut

SHORT, LONG = "ten words of the ten that are read to end", "word " * 11


class Reader(FakeEmbedder):
    """Reads ten words, its own marks aside."""

    info = replace(FakeEmbedder.info, max_tokens=12)


class Prompted(Reader):
    info = replace(Reader.info, prompts=Prompts(passage="passage: "))


@pytest.mark.parametrize(
    ("texts", "share"), [([], 0.0), ([SHORT], 0.0), ([LONG], 1.0), ([SHORT, LONG, SHORT, LONG], 0.5)]
)
def test_texts_longer_than_what_the_model_reads_are_counted(texts: list[str], share: float) -> None:
    assert share_cut(texts, Reader()) == share


def test_a_prompt_takes_its_part() -> None:
    assert share_cut([SHORT], Reader()) == 0.0
    assert share_cut([SHORT], Prompted()) == 1.0


def test_the_report_tells_of_a_model_that_often_stops_short() -> None:
    lines = dict(report_lines(BuildReport(reads=128, cut=0.41)))
    assert lines["Cut"].startswith("the model reads 128 tokens, 41% of the sections have more")
    assert "Cut" not in dict(report_lines(BuildReport(reads=256, cut=0.02)))


def test_the_report_tells_what_went_before_questions_and_passages() -> None:
    facts = BuildFacts(prompts=Prompts("query: ", "passage: "))
    assert (
        dict(report_lines(BuildReport(facts)))["Prompts"] == 'before questions "query: ", before passages "passage: "'
    )
    assert "Prompts" not in dict(report_lines(BuildReport()))
