import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from tests.factories import build_index

from pincite_core.errors import InputError, PinciteError
from pincite_server.cli.ask_commands import ask, ground, search

PAGE = """# Install
Lantern runs on Linux and macOS.

## Requirements {#requirements}
Lantern needs Python 3.11 or newer. It uses 200 MB of memory.
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    place = tmp_path_factory.mktemp("commands")
    build_index(place, {"/docs/install": PAGE, "/docs/other": "# Other\nGardens hold roses."})
    return str(place)


def run(command: object, *arguments: str, rows: list[object] | None = None) -> Result:
    lines = "\n".join(json.dumps(row) for row in rows or []) + "\n"
    return CliRunner().invoke(command, arguments, input=lines, catch_exceptions=False)  # type: ignore[arg-type]


def test_search_answers_one_line_a_row_in_order(folder: str) -> None:
    rows = [{"id": "a", "query": "Which Python?"}, {"id": 2, "query": "roses"}]
    lines = [json.loads(line) for line in run(search, folder, "-k", "2", "--json", "-", rows=rows).output.splitlines()]
    assert [line["id"] for line in lines] == ["a", 2]
    assert [line["results"][0]["url"] for line in lines] == ["/docs/install#requirements", "/docs/other"]
    assert set(lines[0]) == {"id", "results", "ms"}
    assert set(lines[0]["results"][0]) == {"url", "anchor", "stable_id", "title", "heading_path", "score", "snippet"}


def test_ask_answers_with_the_answer_object(folder: str) -> None:
    rows = [
        {"id": 1, "query": "Which Python does Lantern need?"},
        {"id": 2, "query": "Who won the zeppelin race?"},
        {"id": 3, "query": "What is this?", "selection": {"text": PAGE.splitlines()[4], "page_url": "/docs/install"}},
    ]
    lines = [json.loads(line) for line in run(ask, folder, "--json", "-", rows=rows).output.splitlines()]
    assert [(line["id"], line["type"], line["mode"]) for line in lines] == [
        (1, "answer", "corpus"),
        (2, "refusal", "corpus"),
        (3, "answer", "selection"),
    ]
    assert lines[0]["citations"][0]["url"] == "/docs/install#requirements"
    assert {"answer", "validation_info", "confidence_score", "evidence", "timings_ms", "scope"} <= set(lines[0])
    assert {"code", "message", "suggestions", "nearest"} <= set(lines[1])


def test_an_answer_tells_when_its_index_was_built_as_over_http(tmp_path: Path) -> None:
    build_index(tmp_path, {"/docs/install": PAGE})
    (tmp_path / "index.json").write_text('{"built_at": "2026-02-13T10:00:00+00:00"}')
    rows = [{"query": "Which Python does Lantern need?"}, {"query": "Who won the zeppelin race?"}]
    lines = [json.loads(line) for line in run(ask, str(tmp_path), "--json", "-", rows=rows).output.splitlines()]
    assert [line["built_at"] for line in lines] == ["2026-02-13T10:00:00+00:00"] * 2


def test_ground_judges_pairs(folder: str) -> None:
    pair = {"passage": "ROS 2 supports distributed systems.", "question": "What does it support?"}
    rows = [
        {"id": 1, **pair, "answer": "It supports distributed systems."},
        {"id": 2, **pair, "answer": "It supports Kubernetes."},
    ]
    lines = [json.loads(line) for line in run(ground, folder, "--json", "-", rows=rows).output.splitlines()]
    assert [(line["id"], line["grounded"]) for line in lines] == [(1, True), (2, False)]
    assert set(lines[0]) == {
        "id", "grounded", "score", "reasons", "unsupported", "similarity", "keyword_overlap", "ms",
    }  # fmt: skip
    assert lines[1]["unsupported"] == ["Kubernetes"]


def test_people_get_text_with_sources(folder: str) -> None:
    shown = run(ask, folder, "Which Python does Lantern need?").output
    assert "Lantern needs Python 3.11 or newer." in shown
    assert "https://docs.example/docs/install#requirements" in shown
    assert "https://docs.example/docs/other" in run(search, folder, "roses").output


def test_a_single_question_can_be_answered_as_json(folder: str) -> None:
    assert json.loads(run(ask, folder, "Which Python does Lantern need?", "--json").output)["type"] == "answer"
    assert json.loads(run(search, folder, "roses", "--json").output)["results"]


def test_an_answer_as_json_has_the_time_of_the_build_as_every_reply_has_it(tmp_path: Path) -> None:
    build_index(tmp_path, {"/docs/install": PAGE})
    (tmp_path / "index.json").write_text('{"built_at": "2026-11-21T10:00:00Z"}')
    for question in ("Which Python does Lantern need?", "Who won the zeppelin race?"):
        reply = json.loads(run(ask, str(tmp_path), question, "--json").output)
        assert reply["built_at"] == "2026-11-21T10:00:00Z"


def test_a_line_that_is_no_json_is_named(folder: str) -> None:
    with pytest.raises(InputError, match=r"Line 2 of standard input"):
        CliRunner().invoke(ask, [folder, "--json", "-"], input='{"query": "x"}\n{"id": 1}\n', catch_exceptions=False)


def test_an_unknown_version_is_bad_usage(folder: str) -> None:
    with pytest.raises(InputError, match="Choose one of: current"):
        run(ask, folder, "Which Python?", "--version", "9")


def test_rows_that_name_an_unknown_version_are_not_searched_elsewhere(folder: str) -> None:
    with pytest.raises(InputError, match="Choose one of: current"):
        run(search, folder, "--json", "-", rows=[{"query": "Which Python?", "version": "9"}])


@pytest.mark.parametrize(
    "page_url", ["http://[::1/x", "//[x", "http://\u2100.com/", "http://a:99999/", "\0", "[" * 2048]
)
def test_a_selection_of_a_page_whose_url_is_none_is_answered_without_a_place(folder: str, page_url: str) -> None:
    rows = [{"query": "Which Python?", "selection": {"text": PAGE.splitlines()[4], "page_url": page_url}}]
    reply = json.loads(run(ask, folder, "--json", "-", rows=rows).output)
    assert [notice["code"] for notice in reply["notices"]] == ["selection_unproved"]


@pytest.mark.parametrize("place", ["http://[::1/x", "https://\u2100.com/", "http://a:99999/", "http://a b/"])
def test_an_index_at_an_address_that_is_none_is_refused_in_a_sentence(place: str) -> None:
    with pytest.raises(PinciteError, match="is not a URL"):
        run(ask, place, "Which Python?")


def test_a_missing_question_is_bad_usage(folder: str) -> None:
    with pytest.raises(InputError, match="Give a question"):
        run(ask, folder)
