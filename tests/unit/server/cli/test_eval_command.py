import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from prometheus_client import CollectorRegistry
from tests.factories import PageSource
from tests.unit.server.evaluation.sites import PAGES, build_site, write_questions

from pincite_core.cli import root
from pincite_core.errors import InputError
from pincite_server.cli.eval_command import eval_command
from pincite_server.doctor.examination import KNOWN_VARIABLES
from pincite_server.evaluation.grading import Screen, grade_prompt, read_sheet
from pincite_server.observe.rates import EvaluatedRates

ROOT = Path(__file__).parents[4]
DOCS = ROOT / "docs"

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


_ANSWERS = (
    "{question: 'When do cached pages expire?', passage: Cached pages expire after thirty minutes., answerable: %s}"
)
_SILENT = "{question: 'Who won the airship race?', passage: Cached pages expire after thirty minutes., answerable: %s}"


def test_questions_of_passages_give_the_rates_of_false_refusals_and_answers(folder: Path, tmp_path: Path) -> None:
    rows = [_ANSWERS % "true", _ANSWERS % "false", _SILENT % "true", _SILENT % "false", _SILENT % "true"]
    file = write_questions(tmp_path, "".join(f"- {row}\n" for row in rows) + QUESTIONS)
    record = json.loads(run(folder, file, "--json").output)
    measures = record["measures"]
    assert measures["false_negative_rate"]["hits"] == 2
    assert measures["false_negative_rate"]["total"] == 3
    assert measures["false_negative_rate"]["interval"] == pytest.approx([0.2077, 0.9385], abs=1e-4)
    assert (measures["false_positive_rate"]["hits"], measures["false_positive_rate"]["total"]) == (1, 2)
    assert (
        measures["false_refusals"]
        == json.loads(run(folder, write_questions(tmp_path, QUESTIONS), "--json").output)["measures"]["false_refusals"]
    )
    verdicts = [row["verdict"] for row in record["rows"] if "passage" in row]
    assert verdicts == ["right", "passage exceeded", "passage refused", "right", "passage refused"]


def test_what_is_printed_for_machines_is_what_the_sidecars_metrics_read(folder: Path, tmp_path: Path) -> None:
    questions = write_questions(tmp_path, f"- {_ANSWERS % 'true'}\n- {_SILENT % 'true'}\n- {_SILENT % 'false'}\n")
    printed = tmp_path / "evaluation.json"
    printed.write_text(run(folder, questions, "--json").output, encoding="utf-8")
    registry = CollectorRegistry()
    registry.register(EvaluatedRates(printed))
    index_id = json.loads(printed.read_text())["index"]["index_id"]
    assert registry.get_sample_value("pincite_false_negative_rate", {"index_id": index_id}) == 0.5
    assert registry.get_sample_value("pincite_false_positive_rate", {"index_id": index_id}) == 0


def test_the_rates_of_passages_have_thresholds_and_their_questions_are_named(folder: Path, tmp_path: Path) -> None:
    file = write_questions(tmp_path, f"- {_ANSWERS % 'false'}\n- {_SILENT % 'true'}\n- {_SILENT % 'false'}\n")
    result = run(folder, file, "--max-false-negatives", "0.05", "--max-false-positives", "0.6")
    assert result.exit_code == 1
    assert "Refused, though the passage answers\n  line 2: Who won the airship race?" in result.output
    assert "Answered, though the passage does not say\n  line 1: When do cached pages expire?" in result.output
    assert "Failed: passages that answer, refused 100%, must be at most 5%" in result.output
    assert "Failed: passages that do not" not in result.output
    assert run(folder, file, "--max-false-positives", "0.6").exit_code == 0


def test_a_missed_threshold_ends_with_one_and_names_the_question(folder: Path, questions: Path) -> None:
    result = run(folder, questions, "--max-false-refusals", "0.05", "--min-section-cited", "0.9")
    assert result.exit_code == 1
    failed = result.output.partition("Failed: ")[2]
    assert failed.startswith("wrongly refused 33%, must be at most 5%")
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
    assert "1 answer differs from the other index" in shown
    assert "gained          line 2: When do cached pages expire?" in shown
    assert json.loads(run(folder, questions, "--compare", other, "--json").output)["changes"][0]["change"] == "gained"


def test_a_question_file_that_does_not_fit_the_index_is_bad_usage(folder: Path, tmp_path: Path) -> None:
    file = write_questions(tmp_path, "- question: a\n  expect: default/docs/nowhere\n")
    with pytest.raises(InputError, match="line 1: there is no default/docs/nowhere"):
        run(folder, file)


def test_every_option_is_told_and_every_option_told_exists() -> None:
    options = {flag for option in eval_command.params for flag in option.opts if flag.startswith("--")}
    told = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", (DOCS / "evaluation.md").read_text(encoding="utf-8")))
    assert told == options


def test_what_is_told_of_local_models_exists() -> None:
    text = (DOCS / "local-model.md").read_text(encoding="utf-8")
    assert set(re.findall(r"\bPINCITE_[A-Z_]*[A-Z]\b", text)) <= KNOWN_VARIABLES
    assert {"--quoted", "--grade"} <= set(re.findall(r"--[a-z-]+", text))
    for option in re.findall(r"PINCITE_LLM_OPTIONS='(.*?)'", text):
        assert isinstance(json.loads(option), dict)


def test_the_rubric_that_is_told_is_the_one_that_the_model_is_given() -> None:
    given = grade_prompt(Screen("?", "!"))[0]["content"]
    told = dict(
        re.findall(r"^\| ([0-3]) \| (.*) \|$", (DOCS / "evaluation.md").read_text(encoding="utf-8"), re.MULTILINE)
    )
    assert sorted(told) == ["0", "1", "2", "3"]
    for grade, meaning in told.items():
        assert f"{grade}: {meaning}\n" in given


def test_the_graded_answers_that_come_along_can_be_read() -> None:
    screens = read_sheet(ROOT / "bench" / "questions" / "graded_answers.jsonl")
    assert len(screens) == 120
    assert {screen.grade for screen in screens} == {0, 1, 2, 3}


def test_a_line_of_a_sheet_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    file = tmp_path / "sheet.jsonl"
    file.write_text('{"question": "?", "shown": "!", "grade": null}\n', encoding="utf-8")
    with pytest.raises(InputError, match="has no grades"):
        read_sheet(file)
    file.write_text('{"question": "?", "shown": "!", "grade": 3}\n{"question": "?", "grade": 4}\n', encoding="utf-8")
    with pytest.raises(InputError, match="line 2"):
        read_sheet(file)
