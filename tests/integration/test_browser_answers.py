"""What the browser replies without an encoder, and to questions about a passage that a reader highlighted."""

from pathlib import Path
from typing import Any

import pytest
from tests.integration.passage_cases import node_replies
from tests.integration.ranking_cases import build_site

LEASE = (
    "A lease is how long a worker may keep a job without a word. It is 60 seconds unless the queue says otherwise.\n"
    "Workers renew it while they work."
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_site("en", tmp_path_factory.mktemp("en"))


def ask(folder: Path, query: str, **told: Any) -> dict[str, Any]:
    request = {"query": query, "mode": "corpus", "scope": {"locale": "en"}, "message_id": "m", "session_id": "s"} | told
    (reply,) = node_replies(folder, "en", [{"request": request, "embedded": None, "least": told.get("least")}])
    return reply


def select(folder: Path, query: str, text: str, url: str = "/docs/nowhere/") -> dict[str, Any]:
    return ask(folder, query, mode="selection", selection={"text": text, "page_url": url, "captured_at": ""})


def test_words_alone_are_enough_for_an_answer(folder: Path) -> None:
    reply = ask(folder, "how long is a lease", least=0.0)
    assert reply["type"] == "answer"
    assert reply["citations"][0]["url"].startswith("/docs/")
    assert (reply["message_id"], reply["session_id"]) == ("m", "s")


def test_a_passage_is_answered_from_in_its_own_sentences(folder: Path) -> None:
    reply = select(folder, "How many seconds is a lease?", LEASE)
    assert (reply["type"], reply["mode"]) == ("answer", "selection")
    assert "It is 60 seconds unless the queue says otherwise. [1]" in reply["answer"]
    assert [notice["code"] for notice in reply["notices"]] == ["selection_unproved"]
    assert reply["citations"][0]["url"] is None


def test_a_passage_about_something_else_is_refused_with_the_nearest_sections(folder: Path) -> None:
    reply = select(folder, "Which colour does the dashboard have?", LEASE)
    assert (reply["type"], reply["code"], reply["mode"]) == ("refusal", "not_in_selection", "selection")
    assert reply["nearest"]


def test_a_passage_of_the_docs_is_cited_where_it_stands(folder: Path) -> None:
    found = ask(folder, "how long is a lease", least=0.0)["citations"][0]
    passage = next(
        claim["quote"] for claim in ask(folder, "how long is a lease", least=0.0)["claims"] if claim["quote"]
    )
    reply = select(folder, "what does this mean", f"{passage} {'.' * 60}", f"https://docs.example{found['url']}")
    assert reply["citations"][0]["url"] == found["url"]
    assert reply["notices"] == []


def test_a_passage_that_is_too_short_leaves_the_whole_site(folder: Path) -> None:
    reply = select(folder, "how long is a lease", "A lease.")
    assert reply["mode"] == "corpus"
    assert "selection_too_short" in [notice["code"] for notice in reply["notices"]]
