"""The commands that answer, and agents, with a language model: what a docs team measures is what readers get."""

import asyncio
import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client
from tests.commands import run_command
from tests.integration.scripted_llm import DONE, Pause, ScriptedModel, Status
from tests.integration.serving import build_tiny_index, serve
from tests.patience import PATIENCE

from pincite_server.answering.sync_answerer import SyncAnswerer
from pincite_server.evaluation.grading import Grader, Screen
from pincite_server.evaluation.judge import Grade

PORT = "Which port does the Lantern image listen on?"
TRUE = "The image listens on port 8080. {1}"
WRITTEN = f"{TRUE} It also listens on port 9999. {{1}} The Lantern image never listens on port 8080. {{1}}"
QUESTIONS = f"""
- question: {PORT}
  expect: /kit/install#docker
- question: How do I install the package with npm?
  expect: /kit/install#npm
- question: Who won the football championship in Brazil?
  refuse: true
"""


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_tiny_index(tmp_path_factory.mktemp("index"))


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    file = tmp_path / "questions.yml"
    file.write_text(QUESTIONS, encoding="utf-8")
    return file


def variables(base_url: str) -> dict[str, str]:
    names = {"BASE_URL": base_url, "MODEL": "scripted", "RETRIES": "0", "VERIFY": "off"}
    return {f"PINCITE_LLM_{name}": value for name, value in names.items()}


def pincite(base_url: str, *arguments: str | Path, rows: str = "") -> "subprocess.CompletedProcess[str]":
    """Run the command in a process of its own, with a model configured."""
    return run_command(*arguments, environment=os.environ | variables(base_url), given=rows)


def test_ask_prints_what_the_model_wrote_and_what_was_dropped_of_it(index: Path, endpoint: ScriptedModel):
    endpoint.says(WRITTEN, DONE)
    run = pincite(endpoint.base_url, "ask", index, PORT)
    shown = " ".join(run.stdout.split())
    assert run.returncode == 0, run.stderr
    assert "The image listens on port 8080. [1]" in shown
    assert "not fully proved" in shown
    assert "9999" not in shown
    assert (
        "Statements written: 2 shown, 1 of them doubtful; 1 dropped (1 with a number that their source does not have)"
        in shown
    )
    assert "https://docs.example/kit/install#docker" in shown


def test_ask_as_json_is_the_sidecars_reply_with_its_counters(index: Path, endpoint: ScriptedModel):
    endpoint.says(WRITTEN, DONE)
    reply = json.loads(pincite(endpoint.base_url, "ask", index, PORT, "--json").stdout)
    assert (reply["type"], reply["composer"]) == ("answer", "llm")
    assert reply["counters"]["llm_dropped_for_unsupported_number"] == 1
    with serve(index, **variables(endpoint.base_url)) as client:
        body = {"message_id": "7b8a55c1-5a6c-4b0a-9f0e-0d3d1c2b3a4f", "session_id": "s", "query": PORT}
        served = client.post("/api/chat", json={**body, "mode": "corpus"}).json()
    assert (served["answer"], served["claims"]) == (reply["answer"], reply["claims"])


def test_rows_are_answered_one_after_another_each_with_its_own_counters(index: Path, endpoint: ScriptedModel):
    endpoint.plans("none", DONE, about="Who won")
    endpoint.says(WRITTEN, DONE)
    endpoint.says(TRUE, DONE)
    rows = "\n".join(
        json.dumps({"id": number, "query": query}) for number, query in enumerate((PORT, PORT, "Who won?"))
    )
    run = pincite(endpoint.base_url, "ask", index, "--json", "-", rows=rows)
    first, second, third = [json.loads(line) for line in run.stdout.splitlines()]
    assert (first["counters"]["llm_calls"], second["counters"]["llm_calls"]) == (2, 2)
    assert first["counters"]["llm_dropped_sentences"] == 1
    assert "llm_dropped_sentences" not in second["counters"]
    assert (third["type"], third["counters"]["llm_calls"]) == ("refusal", 1)


def test_a_model_that_cannot_be_reached_leaves_a_quotation_with_a_notice(index: Path):
    run = pincite("http://127.0.0.1:9/v1", "ask", index, PORT)
    assert run.returncode == 0
    assert "The endpoint cannot be reached" in run.stderr
    assert "8080" in run.stdout
    reply = json.loads(pincite("http://127.0.0.1:9/v1", "ask", index, PORT, "--json").stdout)
    assert (reply["composer"], [notice["code"] for notice in reply["notices"]]) == ("extractive", ["llm_unavailable"])


def test_an_endpoint_that_cannot_be_used_is_bad_usage(index: Path):
    run = pincite("not an address", "ask", index, PORT)
    assert run.returncode == 2
    assert "PINCITE_LLM_BASE_URL" in run.stderr


def test_quoted_asks_no_model(index: Path, endpoint: ScriptedModel, questions: Path):
    reply = json.loads(pincite(endpoint.base_url, "ask", index, PORT, "--json", "--quoted").stdout)
    assert (reply["composer"], "counters" in reply) == ("extractive", False)
    record = json.loads(pincite(endpoint.base_url, "eval", index, questions, "--json", "--quoted").stdout)
    assert "written" not in record
    assert endpoint.requests == []


def test_eval_tells_what_the_model_wrote_dropped_and_cost(index: Path, endpoint: ScriptedModel, questions: Path):
    endpoint.plans("none", DONE, about="football")
    endpoint.says(WRITTEN, DONE)
    endpoint.says("Install the package with npm install lantern. {1}", DONE)
    record = json.loads(pincite(endpoint.base_url, "eval", index, questions, "--json").stdout)
    written = record["written"]
    assert (written["asked"], written["written"], written["foreign"], written["failed"]) == (3, 2, 1, 0)
    assert (written["shown"], written["doubtful"], written["dropped"]) == (3, 1, 1)
    assert written["reasons"] == {"unsupported_number": 1}
    assert written["tokens_read"] > written["tokens_written"] > 0
    assert 0 < written["seconds"]["median"] <= written["seconds"]["p95"]
    assert [row.get("composer") for row in record["rows"]] == ["llm", "llm", None]
    assert len(endpoint.requests) == 2, "what is refused is not put to the model"
    shown = pincite(endpoint.base_url, "eval", index, questions).stdout
    assert "2 of 3 replies written by the language model" in shown
    assert "1 refused after the search queries" in shown


def test_eval_tells_what_was_searched_for_and_read_and_what_each_request_took(
    index: Path, endpoint: ScriptedModel, questions: Path
):
    endpoint.plans("none", DONE, about="football")
    endpoint.says(TRUE, DONE)
    record = json.loads(pincite(endpoint.base_url, "eval", index, questions, "--json").stdout)
    first, _, foreign = [row["reading"] for row in record["rows"]]
    assert first["queries"] == [PORT, "Lantern image port", "listening address"]
    assert first["read"][0] == "/kit/install#docker"
    assert first["context_recalled"] is True
    assert [request["purpose"] for request in first["requests"]] == ["plan", "write"]
    assert all(request["tokens_read"] > 0 and request["seconds"] > 0 for request in first["requests"])
    assert [request["purpose"] for request in foreign["requests"]] == ["plan"]
    recall = record["measures"]["context_recall"]
    assert (recall["hits"], recall["total"]) == (2, 2)
    assert list(record["written"]["purposes"]) == ["plan", "write"]
    shown = pincite(endpoint.base_url, "eval", index, questions).stdout
    assert "right section among those the model read" in shown
    assert "plan: 3 requests" in shown


def test_eval_counts_what_the_model_did_not_write(index: Path, endpoint: ScriptedModel, questions: Path):
    endpoint.plans("none", DONE, about="football")
    endpoint.says("The excerpts do not say. {0}", DONE)
    endpoint.says(Status(500))
    written = json.loads(pincite(endpoint.base_url, "eval", index, questions, "--json").stdout)["written"]
    assert (written["asked"], written["written"], written["declined"], written["failed"]) == (3, 0, 1, 1)


def test_grades_count_refusals_as_not_useful_and_have_thresholds(index: Path, endpoint: ScriptedModel, questions: Path):
    endpoint.says(TRUE, DONE)
    endpoint.says("Quokkas are great. {1}", DONE)
    endpoint.says("2 cut\n", DONE)
    run = pincite(endpoint.base_url, "eval", index, questions, "--grade", "--min-useful", "0.9", "--json")
    record = json.loads(run.stdout)
    assert run.returncode == 1
    assert (record["measures"]["useful"]["hits"], record["measures"]["useful"]["total"]) == (1, 2)
    assert [item["measure"] for item in record["failed"]] == ["useful"]
    assert [(row.get("grade"), row.get("cause")) for row in record["rows"]] == [(2, "cut"), (None, ""), (None, None)]
    prompt = endpoint.prompt()
    assert "useful: a main part of the answer" in prompt
    assert f"{PORT}\n</question" in prompt
    assert "The image listens on port 8080. [1]\n</screen" in prompt
    assert "# Install › Docker\n\nRun the Lantern image" in prompt


def test_grades_that_do_not_come_are_told_and_fail(index: Path, endpoint: ScriptedModel, questions: Path):
    endpoint.says("I like it.", DONE)
    run = pincite(endpoint.base_url, "eval", index, questions, "--grade", "--quoted")
    assert run.returncode == 1
    assert "2 of 2 answers were not graded" in run.stderr


def test_a_sheet_goes_to_people_and_comes_back_with_their_grades(
    index: Path, endpoint: ScriptedModel, questions: Path, tmp_path: Path
):
    sheet = tmp_path / "sheet.jsonl"
    assert pincite(endpoint.base_url, "eval", index, questions, "--quoted", "--sheet", sheet).returncode == 0
    rows = [json.loads(line) for line in sheet.read_text(encoding="utf-8").splitlines()]
    assert [row["grade"] for row in rows] == [None, None], "what the docs do not answer is not on the sheet"
    assert rows[0]["question"] == PORT
    graded = [{**row, "grade": grade} for row, grade in zip(rows, (3, 1), strict=True)]
    sheet.write_text("".join(json.dumps(row) + "\n" for row in graded), encoding="utf-8")
    endpoint.says("3", DONE)
    endpoint.says("Grade: 2 (sentence)", DONE)
    run = pincite(endpoint.base_url, "eval", index, questions, "--quoted", "--people", sheet, "--json")
    agreement = json.loads(run.stdout)["agreement"]
    assert (agreement["same"]["share"], agreement["same_use"]["share"], agreement["ungraded"]) == (0.5, 0.5, 0)
    assert agreement["kappa"] == pytest.approx(2 / 3)
    assert '"grade"' not in endpoint.prompt(), "the grader sees nobody's grade"
    shown = pincite(endpoint.base_url, "eval", index, questions, "--quoted", "--people", sheet).stdout
    assert "The grader on 2 answers that people graded" in shown
    assert "Cohen's kappa with quadratic weights: 0.00" in shown


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--min-good", "0.5"), "Add --grade"),
        (("--people", "nowhere.jsonl"), "nowhere.jsonl cannot be read"),
        (("--sheet", __file__), "exists already"),
        (("--sheet", "nowhere/sheet.jsonl"), "is in a folder that does not exist"),
    ],
)
def test_what_cannot_be_graded_is_bad_usage(
    index: Path, endpoint: ScriptedModel, questions: Path, arguments: tuple[str, ...], told: str
):
    run = pincite(endpoint.base_url, "eval", index, questions, *arguments)
    assert run.returncode == 2
    assert told in run.stderr


def test_grading_needs_a_model(index: Path, questions: Path):
    run = pincite("", "eval", index, questions, "--grade")
    assert run.returncode == 2
    assert "PINCITE_LLM_BASE_URL" in run.stderr


@pytest.mark.parametrize(
    ("written", "grade"),
    [
        ("3", Grade(3)),
        ("2 cut", Grade(2, "cut")),
        ("**Grade: 1** - Sentence, since the table is missing", Grade(1, "sentence")),
        ("The screen says it.\n0 section\nAll 3 passages miss it.", Grade(0, "section")),
        ("It deserves 3 of 3", None),
        ("10", None),
        ("", None),
    ],
)
def test_a_grade_is_read_from_the_line_that_begins_with_it(endpoint: ScriptedModel, written: str, grade: Grade | None):
    endpoint.says(written, DONE)
    with SyncAnswerer(endpoint.settings()) as asker:
        assert Grader(asker).grade(Screen("Which port?", "8080")) == grade


def test_a_grader_that_talks_on_is_not_listened_to(endpoint: ScriptedModel):
    pause = Pause()
    endpoint.says("2 cut\n", "Let me explain. ", pause)
    with SyncAnswerer(endpoint.settings()) as asker:
        assert Grader(asker).grade(Screen("Which port?", "8080")) == Grade(2, "cut")
        assert pause.abandoned.wait(PATIENCE)


def test_an_agent_gets_what_the_model_wrote_as_readers_do(index: Path, endpoint: ScriptedModel):
    endpoint.says(WRITTEN, DONE)

    async def asked(url: str) -> Any:
        async with Client(streamable_http_client(url)) as agent:
            return await agent.call_tool("ask", {"question": PORT})

    with serve(index, **variables(endpoint.base_url)) as client:
        answer = asyncio.run(asked(str(client.base_url.copy_with(path="/mcp")))).structured_content
    assert answer["composer"] == "llm"
    assert answer["answer"].startswith("The image listens on port 8080. [1]")
    assert answer["answer"].endswith("*(not fully proved)*")
    assert answer["sources"][0]["url"] == "https://docs.example/kit/install#docker"
