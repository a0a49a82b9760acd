from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from httpx_sse import connect_sse
from tests.integration.serving import ask, build_tiny_index, question, serve

ANSWERED = "Which port does the Lantern image listen on?"
REFUSED = "Who won the football championship in Brazil?"
EVENTS = {"accept": "text/event-stream"}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    with serve(build_tiny_index(tmp_path_factory.mktemp("index"))) as running:
        yield running


def test_an_answer_streams_as_events_in_their_order(client: httpx.Client):
    with connect_sse(client, "POST", "/api/chat", json=question(ANSWERED), headers=EVENTS) as source:
        events = list(source.iter_sse())
    names = [event.event for event in events]
    assert names[0] == "answer_start"
    assert names[-2:] == ["sources", "answer_end"]
    assert set(names[1:-2]) == {"answer_delta"}


def test_the_stream_forbids_buffering_on_its_way(client: httpx.Client):
    with client.stream("POST", "/api/chat", json=question(ANSWERED), headers=EVENTS) as response:
        response.read()
    assert response.headers["content-type"].startswith("text/event-stream")
    assert response.headers["cache-control"] == "no-cache, no-transform"
    assert response.headers["x-accel-buffering"] == "no"


def test_the_events_and_the_answer_object_say_the_same(client: httpx.Client):
    body = question(ANSWERED)
    whole = client.post("/api/chat", json=body).json()
    with connect_sse(client, "POST", "/api/chat", json=body, headers=EVENTS) as source:
        start, *deltas, sources, end = [event.json() for event in source.iter_sse()]
    assert whole["answer"] == "".join(delta["text"] for delta in deltas)
    assert whole["citations"] == sources["citations"]
    assert {**start, **end, "answer": whole["answer"], "citations": whole["citations"]} == whole


def test_the_answer_cites_places_of_the_index(client: httpx.Client):
    answer = ask(client, ANSWERED).json()
    assert answer["type"] == "answer"
    used = [citation for citation in answer["citations"] if citation["used"]]
    assert [citation["n"] for citation in used] == list(range(1, len(used) + 1))
    places = {"/kit/install#docker", "/kit/config#opt-port", "/kit/config#opt-host"}
    assert {citation["url"] for citation in used} <= places
    assert "8080" in answer["answer"]


@pytest.mark.parametrize("accept", [EVENTS, {}])
def test_a_follow_up_is_read_with_the_question_before_it_and_the_reader_is_told(
    client: httpx.Client, accept: dict[str, str]
):
    turns = [{"query": "How do I run the Lantern image?", "answer": "Run it with docker run lantern. [1]"}]
    reply = client.post("/api/chat", json=question("and which port does it listen on?", turns=turns), headers=accept)
    assert "Understood as: How do I run the Lantern image? and which port does it listen on?" in reply.text
    assert "8080" in reply.text


def test_ids_of_the_request_come_back(client: httpx.Client):
    body = question(ANSWERED, session_id="my-session")
    answer = client.post("/api/chat", json=body).json()
    assert (answer["message_id"], answer["session_id"]) == (body["message_id"], "my-session")


def test_a_client_without_a_session_gets_one(client: httpx.Client):
    body = question(ANSWERED)
    del body["session_id"]
    assert len(client.post("/api/chat", json=body).json()["session_id"]) == 36


def test_a_refusal_is_json_even_when_events_are_accepted(client: httpx.Client):
    response = client.post("/api/chat", json=question(REFUSED), headers=EVENTS)
    assert response.status_code == 200
    assert response.headers["content-type"].startswith("application/json")
    refusal = response.json()
    assert (refusal["type"], refusal["code"]) == ("refusal", "no_evidence")
    assert refusal["suggestions"]
    assert all(citation["n"] is None for citation in refusal["nearest"])


@pytest.mark.parametrize("accept", ["application/json", "*/*", "text/html, */*;q=0.8", ""])
def test_a_client_that_does_not_name_events_gets_json(client: httpx.Client, accept: str):
    response = client.post("/api/chat", json=question(ANSWERED), headers={"accept": accept})
    assert response.json()["type"] == "answer"
    assert response.headers["cache-control"] == "no-store"


def test_events_among_other_types_are_events(client: httpx.Client):
    headers = {"accept": "application/json;q=0.5, Text/Event-Stream;q=0.9"}
    response = client.post("/api/chat", json=question(ANSWERED), headers=headers)
    assert response.headers["content-type"].startswith("text/event-stream")


def test_a_repeated_message_is_answered_from_the_first_time(client: httpx.Client):
    body = question(ANSWERED)
    first = client.post("/api/chat", json=body).json()
    again = client.post("/api/chat", json=body).json()
    assert first == again, "timings differ when the work is done twice"


def test_another_question_under_the_same_id_is_a_conflict(client: httpx.Client):
    body = question(ANSWERED)
    client.post("/api/chat", json=body)
    response = client.post("/api/chat", json={**body, "query": "Something else?"})
    assert (response.status_code, response.json()["code"]) == (409, "message_id_conflict")


def test_unknown_fields_are_ignored_and_counted(client: httpx.Client):
    before = client.get("/ready").json()["counters"].get("unknown_fields", 0)
    assert ask(client, ANSWERED, shoe_size=43, colour="red").status_code == 200
    assert client.get("/ready").json()["counters"]["unknown_fields"] == before + 2


def test_an_embedding_of_the_wrong_length_is_refused(client: httpx.Client):
    response = ask(client, ANSWERED, embedding=[0.1, 0.2])
    assert (response.status_code, response.json()["code"]) == (400, "invalid_embedding")


def test_the_clients_own_embedding_is_used(client: httpx.Client):
    from pincite_core.embedders import FakeEmbedder

    right = FakeEmbedder().encode([ANSWERED])[0].tolist()
    response = ask(client, ANSWERED, embedding=right, embedding_model="fake")
    assert response.json()["type"] == "answer"


def test_an_embedding_alone_is_answered_and_the_words_of_earlier_ones_are_not_read(client: httpx.Client):
    from pincite_core.embedders import FakeEmbedder

    body = question("", embedding=FakeEmbedder().encode([ANSWERED])[0].tolist())
    del body["query"]
    reply = client.post("/api/chat", json=body).json()
    nearest = reply["citations" if reply["type"] == "answer" else "nearest"]
    assert nearest[0]["url"] == ask(client, ANSWERED).json()["citations"][0]["url"]


def test_vectors_of_tokens_beside_it_are_used(client: httpx.Client):
    from pincite_core.embedders import FakeEmbedder

    right = FakeEmbedder().encode([ANSWERED])[0].tolist()
    assert ask(client, ANSWERED, embedding=right, embedding_tokens=[[0.5] * 64]).json()["type"] == "answer"
    refused = ask(client, ANSWERED, embedding=right, embedding_tokens=[[0.5] * 63])
    assert (refused.status_code, refused.json()["code"]) == (400, "invalid_embedding")


def test_selection_mode_answers_from_the_passage(client: httpx.Client):
    passage = "Run the Lantern image with docker run lantern. The image listens on port 8080."
    selection = {"text": passage, "page_url": "/kit/install"}
    answer = ask(client, ANSWERED, mode="selection", selection=selection).json()
    assert (answer["type"], answer["mode"]) == ("answer", "selection")
    assert answer["citations"][0]["url"] == "/kit/install#docker"


def test_a_refusal_says_why(client: httpx.Client):
    selection = {
        "text": "The image listens on port 8080 and keeps its pages in the folder data.",
        "page_url": "/kit/install",
    }
    refusal = ask(client, "Who sings about zeppelins?", mode="selection", selection=selection).json()
    assert (refusal["type"], refusal["code"]) == ("refusal", "not_in_selection")
    assert refusal["reasons"]
    assert all(isinstance(reason, str) for reason in refusal["reasons"])


def test_a_stale_selection_falls_back_to_the_site_and_says_so(client: httpx.Client):
    selection = {"text": "x" * 60, "page_url": "/kit/install", "captured_at": "2020-01-01T00:00:00Z"}
    answer = ask(client, ANSWERED, mode="selection", selection=selection).json()
    assert answer["mode"] == "corpus"
    assert "selection_stale" in [notice["code"] for notice in answer["notices"]]


def test_many_readers_at_once_are_all_answered(client: httpx.Client):
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(16) as pool:
        replies = list(pool.map(lambda _: ask(client, ANSWERED).json(), range(64)))
    assert {reply["answer"] for reply in replies} == {replies[0]["answer"]}


def test_a_reader_who_leaves_does_not_disturb_the_others(client: httpx.Client, tmp_path: Path):
    for _ in range(5):
        with client.stream("POST", "/api/chat", json=question(ANSWERED), headers=EVENTS) as response:
            next(response.iter_raw())
    assert ask(client, ANSWERED).status_code == 200


def test_without_validators_an_answer_says_that_it_was_not_checked(tmp_path: Path):
    with serve(build_tiny_index(tmp_path), ENABLE_VALIDATORS="false") as unchecked:
        info = ask(unchecked, ANSWERED).json()["validation_info"]
    assert (info["passed"], info["reasons"]) == (None, ["not_checked"])
