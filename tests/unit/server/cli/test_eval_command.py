import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from tests.factories import PageSource
from tests.unit.server.evaluation.sites import PAGES, build_site, write_questions

from pincite_core.cli import root
from pincite_core.errors import InputError

QUESTIONS = """
- question: When do cached pages expire?
  expect: default/docs/cache#lifetime
- question: When do cached pages expire?
  expect: default/docs/1.0/cache#lifetime
  version: "1.0"
- question: Who won the zeppelin race?
  expect: default/docs/backup
- question: Who won the airship race?
  refuse: true
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_site(tmp_path_factory.mktemp("site"))


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    return write_questions(tmp_path, QUESTIONS)


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(root, ["eval", *map(str, arguments)], catch_exceptions=False)


def test_people_get_shares_with_intervals_and_the_questions_that_went_wrong(folder: Path, questions: Path) -> None:
    result = run(folder, questions)
    assert result.exit_code == 0
    assert "4 questions asked of Lantern" in result.output
    assert "wrongly refused" in result.output
    assert "1 of 3" in result.output
    assert "line 7: Who won the zeppelin race?" in result.output
    assert "line 9" not in result.output


def test_machines_get_one_json_object(folder: Path, questions: Path) -> None:
    record = json.loads(run(folder, questions, "--json").output)
    assert set(record) == {"index", "measures", "rows", "failed"}
    assert record["measures"]["false_refusals"]["hits"] == 1
    assert record["measures"]["section_cited"]["share"] == 1.0
    assert [row["verdict"] for row in record["rows"]] == ["right", "right", "refused", "right"]
    assert [row["line"] for row in record["rows"]] == [2, 4, 7, 9]


def test_a_missed_threshold_ends_with_one_and_names_the_question(folder: Path, questions: Path) -> None:
    result = run(folder, questions, "--max-false-refusals", "0.05", "--min-section-cited", "0.9")
    assert result.exit_code == 1
    failed = result.output.partition("Failed: ")[2]
    assert failed.startswith("wrongly refused 33%, wanted at most 5%")
    assert "line 7: Who won the zeppelin race?" in failed
    record = json.loads(run(folder, questions, "--max-false-refusals", "0.05", "--json").output)
    assert [(item["measure"], item["lines"]) for item in record["failed"]] == [("false_refusals", [7])]


def test_thresholds_that_are_met_end_with_zero(folder: Path, questions: Path) -> None:
    bounds = ("--min-page-recall=0.3", "--min-section-recall=1", "--min-page-cited=1", "--min-refused=1")
    assert run(folder, questions, *bounds).exit_code == 0


def test_a_threshold_is_a_share(folder: Path, questions: Path) -> None:
    assert run(folder, questions, "--min-page-cited", "80").exit_code == 2


def test_another_index_is_compared_with(folder: Path, questions: Path, tmp_path: Path) -> None:
    without = {url: page for url, page in PAGES.items() if url != "/docs/cache"}
    other = build_site(tmp_path / "other", {**without, "/docs/tea": PageSource("# Tea\nTea is drunk warm.")})
    shown = run(folder, questions, "--compare", other).output
    assert "1 answer differs from the index compared with" in shown
    assert "gained          line 2: When do cached pages expire?" in shown
    assert json.loads(run(folder, questions, "--compare", other, "--json").output)["changes"][0]["change"] == "gained"


def test_a_question_file_that_does_not_fit_the_index_is_bad_usage(folder: Path, tmp_path: Path) -> None:
    file = write_questions(tmp_path, "- question: a\n  expect: default/docs/nowhere\n")
    with pytest.raises(InputError, match="line 1: there is no default/docs/nowhere"):
        run(folder, file)
