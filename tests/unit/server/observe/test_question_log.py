"""The log of questions: its lines and its file."""

import stat
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from tests.unit.server.http.records import ANSWERED, REFUSED

from pincite_server.observe.question_log import LoggedQuestion, QuestionLog
from pincite_server.question.question import Question, Selection

QUESTION = Question("How do I install it?", page_url="/kit/", selection=Selection("a passage of the reader's"))


def rows(file: Path) -> list[LoggedQuestion]:
    return [msgspec.json.decode(line, type=LoggedQuestion) for line in file.read_bytes().splitlines()]


def test_an_answered_question_is_logged_with_the_cited_sections(tmp_path: Path):
    QuestionLog(tmp_path / "q.jsonl").write(QUESTION, ANSWERED)
    (row,) = rows(tmp_path / "q.jsonl")
    assert (row.question, row.answered, row.code, row.page) == ("How do I install it?", True, None, "/kit/")
    assert [section.stable_id for section in row.sections] == ["guides/install#docker"], "used citations alone"


def test_a_refused_question_is_logged_with_its_code_and_the_nearest_sections(tmp_path: Path):
    QuestionLog(tmp_path / "q.jsonl").write(QUESTION, REFUSED)
    (row,) = rows(tmp_path / "q.jsonl")
    assert (row.answered, row.code, row.sections[0].heading_path) == (False, "no_evidence", ("Install", "Docker"))


def test_any_question_becomes_one_line(tmp_path: Path):
    log = QuestionLog(tmp_path / "q.jsonl")
    for query in ("one\ntwo\r\n", "\u2028 \x00 ünï", "x" * 5000):
        log.write(replace(QUESTION, query=query), ANSWERED)
    assert [len(row.question) for row in rows(tmp_path / "q.jsonl")] == [9, 7, 2000]


def test_only_the_owner_can_read_the_file(tmp_path: Path):
    QuestionLog(tmp_path / "q.jsonl").write(QUESTION, ANSWERED)
    assert stat.S_IMODE((tmp_path / "q.jsonl").stat().st_mode) == 0o600


def test_a_rotated_file_is_created_again(tmp_path: Path):
    log = QuestionLog(tmp_path / "q.jsonl")
    log.write(QUESTION, ANSWERED)
    (tmp_path / "q.jsonl").rename(tmp_path / "q.jsonl.1")
    log.write(QUESTION, ANSWERED)
    assert len(rows(tmp_path / "q.jsonl")) == 1


def test_a_file_that_cannot_be_written_causes_only_a_warning(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    QuestionLog(tmp_path / "missing" / "q.jsonl").write(QUESTION, ANSWERED)
    assert "could not be written" in caplog.text
    assert QUESTION.query not in caplog.text
