"""Three sidecars over one index and one Valkey or Redis, as readers and operators meet them."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest
from tests.integration.serving import ask, build_tiny_index, question, serve, until
from tests.state_server import StateServer

PORT = "Which port does the Lantern image listen on?"
SECRET = "a secret of this test"


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_tiny_index(tmp_path_factory.mktemp("index"))


@pytest.fixture
def sidecars(index: Path, state: StateServer) -> Iterator[list[httpx.Client]]:
    environment = {"PINCITE_STATE": state.url, "PINCITE_READER_SECRET": SECRET, "PINCITE_RATE_LIMIT": "10"}
    with ExitStack() as running:
        yield [running.enter_context(serve(index, **environment)) for _ in range(3)]


def test_the_limits_are_those_of_all_together_and_of_each_while_nothing_is_shared(
    sidecars: list[httpx.Client], state: StateServer
):
    reader = {"Pincite-Reader": ask(sidecars[0], PORT).headers["Pincite-Reader"]}

    def statuses(count: int) -> list[int]:
        sent = (sidecars[number % 3].post("/api/chat", json=question(PORT), headers=reader) for number in range(count))
        return [reply.status_code for reply in sent]

    assert statuses(15).count(200) == 10 - 1  # the first question, of an anonymous reader, was the reader's too
    assert sidecars[0].get("/ready").json()["shared_state"] == {"up": True, "problem": None}
    state.kill()
    found = [ask(sidecar, PORT).status_code for sidecar in sidecars]  # anonymous readers of one address
    assert found == [200, 200, 200]
    until(lambda: not any(sidecar.get("/ready").json()["shared_state"]["up"] for sidecar in sidecars))
    assert "does not answer" in sidecars[0].get("/ready").json()["shared_state"]["problem"]
    assert sidecars[0].get("/ready").status_code == 200
    state.start()
    until(lambda: all(sidecar.get("/ready").json()["shared_state"]["up"] for sidecar in sidecars))
    assert statuses(15).count(200) == 10


def test_a_repeated_message_is_answered_once_and_a_repeated_vote_counted_once(sidecars: list[httpx.Client]):
    body = question(PORT)
    replies = [sidecar.post("/api/chat", json=body).json() for sidecar in sidecars]
    assert replies[0]["type"] == "answer"
    assert replies == [replies[0]] * 3  # the stages' times included
    assert sidecars[1].post("/api/chat", json=body | {"query": "Another"}).json()["code"] == "message_id_conflict"
    with sidecars[2].stream("POST", "/api/chat", json=body, headers={"Accept": "text/event-stream"}) as stream:
        assert "answer_end" in stream.read().decode()
    for sidecar in sidecars:
        sidecar.post("/api/feedback", json={"message_id": body["message_id"], "vote": "up"})
    counted = [sidecar.get("/ready").json()["counters"].get("feedback_up", 0) for sidecar in sidecars]
    assert sum(counted) == 1
