"""Search, passages, citations after a redeploy, feedback, and how the server is."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import apsw
import httpx
import msgspec
import pytest
from tests.integration.serving import build_tiny_index, question, serve

from pincite_core.index.schema import PAGE_QUESTIONS
from pincite_server.report.question_report import read_log

PASSAGE = "Run the Lantern image with docker run lantern. The image listens on port 8080."
FACTS = {"build_id": "b-17", "built_at": "2026-02-13T10:00:00Z", "siblings": []}
RENAMED = {
    "default/setup#docker": "default/kit/install#docker",
    "default/very-old#docker": "default/setup#docker",
    "default/kit/install#gone": None,
    "default/vanished": None,
    "circle/a": "circle/b",
    "circle/b": "circle/a",
}

OFFERED = '{"recipe": 1, "content_hash": "c", "questions": ["Which port does the image listen on?"]}'


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = build_tiny_index(tmp_path_factory.mktemp("index"))
    connection = apsw.Connection(str(folder / "index.db"))
    connection.executemany("INSERT INTO ids VALUES (?, ?)", RENAMED.items())
    connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (f"{PAGE_QUESTIONS}/kit/install", OFFERED))
    connection.close()
    (folder / "index.json").write_bytes(msgspec.json.encode(FACTS))
    return folder


@pytest.fixture(scope="module")
def client(index: Path) -> Iterator[httpx.Client]:
    with serve(index) as running:
        yield running


def test_search_ranks_the_section_that_fits_first(client: httpx.Client):
    reply = client.get("/api/search", params={"q": "install package npm", "k": 2}).json()
    assert reply["results"][0]["url"] == "/kit/install#npm"
    assert len(reply["results"]) == 2
    assert {"url", "anchor", "stable_id", "title", "heading_path", "score", "snippet"} == set(reply["results"][0])


@pytest.mark.parametrize(
    ("scope", "told"),
    [
        ({"version": "99"}, "has no version '99'"),
        ({"locale": "xx"}, "has no locale 'xx'. Choose one of: en."),
        ({"version": "99", "locale": "en"}, "has no version '99'"),
    ],
)
def test_a_search_in_a_version_or_language_that_the_docs_do_not_have_says_which_there_are(
    client: httpx.Client, scope: dict[str, str], told: str
):
    reply = client.get("/api/search", params={"q": "port", **scope})
    assert (reply.status_code, reply.json()["code"]) == (400, "invalid_request")
    assert told in reply.json()["detail"]
    assert client.get("/api/search", params={"q": "port", "locale": "en-GB"}).json()["results"]


@pytest.mark.parametrize("page_url", ["/kit/install", "/kit/install/", "https://docs.example/kit/install#docker"])
def test_a_page_offers_the_questions_that_it_was_found_to_answer(client: httpx.Client, page_url: str):
    reply = client.get("/api/questions", params={"page_url": page_url, "locale": "en"}).json()
    assert reply["questions"] == ["Which port does the image listen on?"]


@pytest.mark.parametrize("page_url", ["/kit/config", "/nowhere", ""])
def test_a_page_without_known_questions_offers_none(client: httpx.Client, page_url: str):
    assert client.get("/api/questions", params={"page_url": page_url}).json()["questions"] == []


def test_a_passage_is_answered_from_with_its_place(client: httpx.Client):
    body = {"query": "Which port does the image listen on?", "selected_text": PASSAGE, "page_url": "/kit/install"}
    reply = client.post("/query-selected-text", json={**body, "session_id": "s-9"}).json()
    assert reply["in_selected_text"] is True
    assert reply["response"] in PASSAGE
    assert reply["sources"] == [{"type": "selected_text", "excerpt": PASSAGE, "url": "/kit/install#docker"}]
    assert (reply["session_id"], reply["truncation_warning"], reply["provenance"]) == ("s-9", None, "proved")


@pytest.mark.parametrize("page_url", [None, "/kit/config", "/nowhere"])
def test_a_passage_that_is_not_on_the_page_it_names_has_no_url(client: httpx.Client, page_url: str | None):
    body = {"query": "Which port does the image listen on?", "selected_text": PASSAGE, "page_url": page_url}
    reply = client.post("/query-selected-text", json=body).json()
    assert reply["in_selected_text"] is True
    assert reply["sources"] == [{"type": "selected_text", "excerpt": PASSAGE}]
    assert reply["provenance"] == "unproved"


def test_a_passage_without_the_answer_is_said_to_have_none(client: httpx.Client):
    body = {"query": "Who is the president of France?", "selected_text": PASSAGE}
    reply = client.post("/query-selected-text", json=body).json()
    assert reply["in_selected_text"] is False
    assert reply["response"] == "The selected text does not contain the answer."


def test_a_short_passage_is_no_reason_to_search_elsewhere(client: httpx.Client):
    body = {"query": "Which port?", "selected_text": "The port is 8080."}
    assert client.post("/query-selected-text", json=body).json()["response"] == "The port is 8080."


def test_a_passage_over_10000_characters_is_cut_with_the_warning(client: httpx.Client):
    body = {"query": "Which port does the image listen on?", "selected_text": PASSAGE + " filler" * 2000}
    reply = client.post("/query-selected-text", json=body).json()
    assert reply["truncation_warning"] == "Selected text truncated to 10,000 characters."
    assert len(reply["sources"][0]["excerpt"]) == 200


@pytest.mark.parametrize(
    ("path", "url"),
    [
        (quote("default/kit/install"), "/kit/install"),
        (quote("default/kit/install#docker"), "/kit/install#docker"),
        ("default/kit/install?s=docker", "/kit/install#docker"),
        (quote("default/setup#docker"), "/kit/install#docker"),
        ("default/very-old?s=docker", "/kit/install#docker"),
        ("default/kit/install?s=docker&v=1.0&l=fr", "/kit/install#docker"),
    ],
)
def test_a_stable_id_leads_to_where_its_section_is_now(client: httpx.Client, path: str, url: str):
    response = client.get(f"/c/{path}")
    assert (response.status_code, response.headers["location"]) == (302, f"https://docs.example{url}")


def test_a_lost_section_is_gone_and_its_page_is_nearest(client: httpx.Client):
    response = client.get("/c/default/kit/install?s=gone")
    problem = response.json()
    assert (response.status_code, problem["code"]) == (410, "id_lost")
    assert problem["nearest"]["url"] == "/kit/install"


def test_a_lost_page_is_gone_and_something_else_is_nearest(client: httpx.Client):
    response = client.get("/c/default/vanished")
    assert response.status_code == 410
    assert response.json()["nearest"]["url"].startswith("/kit/")


@pytest.mark.parametrize(
    "path",
    [
        "default/nothing",
        "circle/x",
        "..%2f..%2fetc%2fpasswd",
        "%00",
        "a%0d%0aSet-Cookie:x",
        "x" * 5000,
        "%23",
        "'%20OR%201",
    ],
)
def test_an_id_that_never_was_is_not_found(client: httpx.Client, path: str):
    response = client.get(f"/c/{path}")
    assert (response.status_code, response.json()["code"]) == (404, "not_found")
    assert "set-cookie" not in response.headers


def test_a_circle_of_aliases_ends(client: httpx.Client):
    assert client.get("/c/circle/a").status_code == 410


def test_a_whole_conversations_ids_are_resolved_at_once(client: httpx.Client):
    ids = ["default/kit/install#docker", "default/setup#docker", "default/kit/install#gone", "never/was"]
    reply = client.post("/api/resolve", json={"ids": ids}).json()
    assert [reply[name]["status"] for name in ids] == ["current", "moved", "lost", "lost"]
    assert reply[ids[0]] == {"url": "/kit/install#docker", "title": "Docker", "status": "current"}
    assert reply[ids[2]]["nearest"]["url"] == "/kit/install"


def test_many_lost_ids_are_all_answered(client: httpx.Client):
    ids = [f"never/was-{number}" for number in range(200)]
    reply = client.post("/api/resolve", json={"ids": ids}).json()
    assert {item["status"] for item in reply.values()} == {"lost"}
    assert len(reply) == 200


def test_votes_are_counted_once_and_their_reasons_beside_them(client: httpx.Client):
    def counters() -> dict[str, int]:
        found: dict[str, int] = client.get("/ready").json()["counters"]
        return {name: found.get(name, 0) for name in ("feedback_down", "feedback_wrong")}

    before, vote = counters(), {"message_id": question("")["message_id"], "vote": "down"}
    for more in ({}, {"reason": "wrong"}, {"reason": None, "comment": "It is 5."}):
        reply = client.post("/api/feedback", json=vote | more)
        assert (reply.status_code, reply.json()) == (200, {"comments_kept": False})
    assert counters() == {name: count + 1 for name, count in before.items()}


def test_a_vote_with_its_reason_and_comment_is_kept_beside_the_question_it_is_about(tmp_path: Path):
    log = tmp_path / "questions.jsonl"
    with serve(build_tiny_index(tmp_path), "--log-questions", str(log)) as client:
        asked = question("Which port does the image listen on?")
        client.post("/api/chat", json=asked)
        vote = {"message_id": asked["message_id"], "vote": "down", "reason": "in_docs", "comment": " See ports. "}
        assert client.post("/api/feedback", json=vote).json() == {"comments_kept": True}
    logged = read_log([log])
    assert [row.message_id for row in logged.questions] == [asked["message_id"]]
    assert [(row.message_id, row.reason, row.comment) for row in logged.votes] == [
        (asked["message_id"], "in_docs", "See ports.")
    ]


def test_ready_tells_which_index_is_served_and_from_when(client: httpx.Client):
    (index,) = client.get("/ready").json()["indexes"]
    assert (index["build_id"], index["built_at"], index["model"]) == ("b-17", "2026-02-13T10:00:00Z", "fake")
    assert index["counts"]["pages"] == 2


def test_health_tells_the_version(client: httpx.Client):
    reply = client.get("/health").json()
    assert reply["status"] == "ok"
    assert reply["version"]


def test_every_response_carries_the_security_headers(client: httpx.Client):
    for path in ("/health", "/nothing", "/api/search?q=x", "/schema/openapi.json"):
        assert client.get(path).headers["x-content-type-options"] == "nosniff"


def test_the_schema_describes_every_route_with_its_body_and_its_problems(client: httpx.Client):
    schema = client.get("/schema/openapi.json").json()
    assert client.get("/schema").json() == schema
    chat = schema["paths"]["/api/chat"]["post"]
    properties = schema["components"]["schemas"]["ChatRequest"]
    assert {"message_id", "query", "selection", "turns"} <= set(properties["properties"])
    assert set(properties["required"]) == {"message_id"}  # An embedding may stand for the question.
    assert set(chat["responses"]) == {"200", "400", "401", "408", "409", "413", "415", "422", "429", "500", "503"}
    assert "application/problem+json" in chat["responses"]["409"]["content"]


@pytest.mark.parametrize("path", ["/api/chat", "/query-selected-text", "/api/resolve", "/api/feedback"])
def test_the_schemas_examples_are_answered(client: httpx.Client, path: str):
    operation = client.get("/schema/openapi.json").json()["paths"][path]["post"]
    (example,) = operation["requestBody"]["content"]["application/json"]["schema"]["examples"]
    assert client.post(path, json=example).is_success
