"""Metrics, the JSON log and the log of questions of a real sidecar."""

import json
import os
import re
import socket
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families
from tests.integration.serving import ask, build_tiny_index, question, serve, serve_app, serve_command
from tests.patience import PATIENCE

from pincite_server.http.app import create_app
from pincite_server.indexes.source import IndexSource
from pincite_server.settings import Settings

QUESTION = "Which port does the Lantern image listen on?"
SECRET_WORDS = "xylophone zeppelin"
TOKEN = "a-token-of-this-test"


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = build_tiny_index(tmp_path_factory.mktemp("index"))
    (folder / "index.json").write_text('{"built_at": "2026-02-13T10:00:00Z"}')
    return folder


@contextmanager
def served(index: Path, **settings: object) -> Iterator[httpx.Client]:
    """Serve in this process; metrics are behind the token."""
    chosen = Settings(**{"rate_limit": 0, "address_limit": 0, **settings})  # type: ignore[arg-type]
    with serve_app(create_app(chosen, IndexSource(index).open())) as client:
        if chosen.token:
            client.headers["Authorization"] = f"Bearer {chosen.token}"
        yield client


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


def samples(text: str) -> dict[str, float]:
    """Return what a scrape tells, by name and labels, as Prometheus' own parser reads it."""
    return {
        f"{sample.name}{_labels(sample.labels)}": sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def _labels(labels: Mapping[str, str]) -> str:
    return "".join(f",{name}={labels[name]}" for name in sorted(labels))


def test_metrics_have_a_port_of_their_own(index: Path):
    port = free_port()
    with serve(index, "--metrics-port", str(port)) as client:
        ask(client, QUESTION)
        ask(client, QUESTION, colour="red")
        client.post("/api/feedback", json={"message_id": question("")["message_id"], "vote": "up"})
        client.get("/nothing/of/the/sort")
        found = samples(httpx.get(f"http://127.0.0.1:{port}/metrics").text)
        assert client.get("/metrics").status_code == 404
    assert found["pincite_answers_total,arm=a,composer=extractive,mode=corpus"] == 2
    assert found["pincite_http_requests_total,method=POST,route=/api/chat,status=200"] == 2
    assert found["pincite_http_requests_total,method=GET,route=none,status=404"] == 1
    assert found["pincite_stage_seconds_count,stage=total"] == 2
    assert found["pincite_validation_success_rate,arm=a"] == 1
    assert (found["pincite_unknown_fields_total"], found["pincite_feedback_up_total"]) == (1, 1)
    assert found["process_resident_memory_bytes"] > 0
    assert [value > 0 for name, value in found.items() if name.startswith("pincite_index_age_seconds")] == [True]


def test_without_a_port_metrics_are_behind_the_token(index: Path):
    with served(index, token=TOKEN) as client:
        scraped = client.get("/metrics")
        assert client.get("/metrics", headers={"Authorization": "Bearer wrong"}).status_code == 401
    assert scraped.headers["content-type"].startswith("text/plain; version=")
    assert samples(scraped.text)["pincite_index_swaps_total,outcome=served"] == 0


def test_without_a_port_and_a_token_there_are_none(index: Path):
    with served(index) as client:
        assert client.get("/metrics").status_code == 404


def test_a_taken_metrics_port_is_told(index: Path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        command = serve_command(index, "--port", "0", "--metrics-port", port)
        ended = subprocess.run(command, env=os.environ, capture_output=True, text=True, timeout=PATIENCE)
    assert ended.returncode == 2
    assert "Choose another --metrics-port" in ended.stderr


def test_both_arms_of_a_comparison_are_counted(index: Path):
    with served(index, token=TOKEN, compare=("PINCITE_GUARDS=strict",)) as client:
        for _ in range(24):  # each without a reader's token: a new reader
            ask(client, QUESTION)
        found = samples(client.get("/metrics").text)
    counts = {name: value for name, value in found.items() if name.startswith("pincite_answers_total")}
    assert {name.split(",")[1] for name in counts} == {"arm=a", "arm=b"}
    assert sum(counts.values()) == 24


def test_every_reply_bears_the_id_that_the_log_repeats_and_no_word_of_the_question(index: Path):
    command = serve_command(index, "--port", "0", "--log-format", "json")
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        base = re.search(r"http://\S+", process.stdout.readline())
        assert base
        with httpx.Client(base_url=base[0], timeout=PATIENCE) as client:
            reply = ask(client, SECRET_WORDS)
            client.get("/api/search", params={"q": SECRET_WORDS})
            named = client.get("/health", headers={"X-Request-Id": "proxy-id-0001"})
            client.post("/mcp", json={"query": SECRET_WORDS}, headers={"Host": "evil.example"})
            client.post("/mcp", json={"query": SECRET_WORDS}, headers={"Origin": "https://evil.example"})
            client.post("/mcp", json={"query": SECRET_WORDS})
            send_garbage(client)
            forged = client.get("/health", headers={"X-Request-Id": 'x"}\tlevel'})
        process.terminate()
        _, told = process.communicate(timeout=PATIENCE)
    rows = [json.loads(line) for line in told.splitlines()]
    requests = [row for row in rows if row["message"] == "request"]
    routes = ["/api/chat", "/api/search", "/health", "none", "/mcp", "/mcp", "/health"]
    assert [row["route"] for row in requests] == routes
    assert [row["message"] for row in rows if row["level"] == "warning"] == ["Invalid HTTP request received."]
    assert requests[0]["request_id"] == reply.headers["X-Request-Id"]
    assert (named.headers["X-Request-Id"], requests[2]["request_id"]) == ("proxy-id-0001", "proxy-id-0001")
    assert re.fullmatch("[0-9a-f]{32}", forged.headers["X-Request-Id"])
    assert not any(word in told for word in SECRET_WORDS.split())


def send_garbage(client: httpx.Client) -> None:
    with socket.create_connection((client.base_url.host, client.base_url.port or 80)) as connection:
        connection.sendall(b"this is no request\r\n\r\n")
        connection.recv(1000)


def test_questions_are_kept_only_when_a_file_is_named(index: Path, tmp_path: Path):
    with serve(index, "--log-questions", tmp_path / "q.jsonl") as client:
        ask(client, QUESTION, session_id="the-session")
        ask(client, "write me a poem about ships")
        client.post("/query-selected-text", json={"query": "Which port?", "selected_text": "It listens on port 8080."})
    text = (tmp_path / "q.jsonl").read_text(encoding="utf-8")
    rows = [json.loads(line) for line in text.splitlines()]
    assert [(row["answered"], row["code"], row["mode"]) for row in rows] == [
        (True, None, "corpus"),
        (False, "capability", "corpus"),
        (True, None, "selection"),
    ]
    assert "the-session" not in text


def test_a_question_that_is_sent_again_is_counted_once(index: Path, tmp_path: Path):
    with served(index, log_questions=tmp_path / "q.jsonl") as client:
        body = question(QUESTION)
        replies = [client.post("/api/chat", json=body).json()["answer"] for _ in range(3)]
    assert len(set(replies)) == 1
    assert len((tmp_path / "q.jsonl").read_bytes().splitlines()) == 1


def test_the_rates_of_an_evaluation_are_scraped_beside_the_live_ones(index: Path, tmp_path: Path) -> None:
    evaluation = tmp_path / "evaluation.json"
    share = {"hits": 2, "total": 40, "share": 0.05}
    evaluation.write_text(json.dumps({"index": {"index_id": "i"}, "measures": {"false_negative_rate": share}}))
    with served(index, token=TOKEN, evaluation=evaluation) as client:
        assert ask(client, QUESTION).status_code == 200
        told = samples(client.get("/metrics").text)
    assert told["pincite_false_negative_rate,index_id=i"] == 0.05
    assert "pincite_false_positive_rate,index_id=i" not in told
    assert told["pincite_fallback_usage_rate,arm=a"] == 0
    assert told["pincite_uncertainty_expression_rate,arm=a"] == 0
