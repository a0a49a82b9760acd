"""`POST /query-selected-text`, by the rule of ADR-003 and by the default: its endpoint tests and its metrics."""

from collections.abc import Iterator

import httpx
import pytest
from tests.integration.serving import build_tiny_index, serve

ROS = "ROS 2 is a robotics middleware."
FALLBACK = "The selected text does not contain the answer."
SCORES = {"response_similarity_score", "keyword_overlap_ratio", "validation_passed", "latency_validation_ms"}


@pytest.fixture(scope="module", params=["adr-003", "default"])
def client(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    folder = build_tiny_index(tmp_path_factory.mktemp("index"))
    with serve(folder, PINCITE_GROUNDING=request.param) as running:
        yield running


def ask(client: httpx.Client, query: str, text: str = ROS) -> dict[str, object]:
    body = {"query": query, "selected_text": text, "session_id": "test-session"}
    reply: dict[str, object] = client.post("/query-selected-text", json=body).json()
    return reply


def test_selected_text_endpoint_valid(client: httpx.Client) -> None:
    reply = ask(client, "What is this?")
    assert reply["in_selected_text"] is True
    assert reply["response"] == ROS


def test_selected_text_endpoint_invalid(client: httpx.Client) -> None:
    reply = ask(client, "What is AI?")
    assert reply["in_selected_text"] is False
    assert reply["response"] == FALLBACK


def test_a_checked_answer_has_its_scores(client: httpx.Client) -> None:
    scores = ask(client, "What is this?")["validation"]
    assert isinstance(scores, dict)
    assert set(scores) == SCORES
    assert scores["validation_passed"] is True
    assert scores["keyword_overlap_ratio"] == 1.0
    assert scores["response_similarity_score"] == pytest.approx(1.0, abs=0.01)


def test_nothing_is_measured_where_there_was_no_answer_to_check(client: httpx.Client) -> None:
    assert ask(client, "What is AI?")["validation"] is None


def test_a_refusal_says_in_words_what_the_passage_lacks(client: httpx.Client) -> None:
    reply = ask(client, "Which licence does Kubernetes have?")
    assert reply["response"] == FALLBACK
    assert "mentions *Kubernetes*, which is not in the selection" in reply["reasons"]
