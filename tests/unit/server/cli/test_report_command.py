"""`pincite report` from the command line."""

import json
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner
from tests.unit.server.report.logged import DOCKER, asked

from pincite_core.errors import InputError
from pincite_server.cli.report_command import report


@pytest.fixture
def log(tmp_path: Path) -> Path:
    file = tmp_path / "q.jsonl"
    rows = [asked("rootless?", DOCKER), asked("later", DOCKER, day=5), asked("fine", DOCKER, code=None)]
    file.write_bytes(b"".join(msgspec.json.encode(row) + b"\n" for row in rows))
    return file


def run(*arguments: str | Path) -> str:
    result = CliRunner().invoke(report, [str(argument) for argument in arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def test_people_get_text_and_a_page(log: Path, tmp_path: Path):
    output = run(log, "--html", tmp_path / "page.html")
    assert "3 questions: 1 answered, 2 not in the docs" in output
    assert "rootless?" in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_machines_get_json(log: Path):
    found = json.loads(run(log, "--json"))
    assert (found["total"], found["unanswered"]) == (3, 2)
    assert found["gaps"][0]["section"]["stable_id"] == "default/install#docker"
    assert [question["text"] for question in found["gaps"][0]["questions"]] == ["later", "rootless?"]


def test_several_files_are_one_log(log: Path):
    assert json.loads(run(log, log, "--json"))["total"] == 6


def test_an_earlier_time_is_left_out(log: Path):
    assert json.loads(run(log, "--since", "2026-02-14", "--json"))["total"] == 1


def test_a_page_that_cannot_be_written_is_told(log: Path, tmp_path: Path):
    with pytest.raises(InputError, match="--html"):
        run(log, "--html", tmp_path / "missing" / "page.html")
