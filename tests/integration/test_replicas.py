"""Three sidecars behind nginx: one that is killed, or a new build that is pushed, costs no reader an answer."""

import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from tests.integration.hosting import deploy
from tests.integration.proxies import behind_nginx, free_port
from tests.integration.serving import build_tiny_index, question, until
from tests.integration.several import documented, in_front_of, of_compose, served, started
from tests.postgres_server import PostgresServer
from tests.state_server import StateServer

PORT = "Which port does the Lantern image listen on?"
SECRET = "a secret of this test"
_PUSH = [sys.executable, "-c", "from pincite_core.cli import main; main()", "push"]


@pytest.fixture
def ports(state: StateServer, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Where three sidecars are to listen, which share the state and limit nobody."""
    shared = {"STATE": state.url, "READER_SECRET": SECRET, "HOST_NAMES": "*"}
    for name, value in (shared | {"RATE_LIMIT": "0", "ADDRESS_LIMIT": "0"}).items():
        monkeypatch.setenv(f"PINCITE_{name}", value)
    return [free_port() for _ in range(3)]


def test_one_that_is_killed_under_load_costs_no_reader_an_answer(ports: list[int], tmp_path: Path):
    def answer(number: int) -> tuple[int, str]:
        if number == 20:
            processes[0].kill()
        reply = client.post("/api/chat", json=question(PORT))
        return reply.status_code, reply.json().get("type", "")

    with (
        started(build_tiny_index(tmp_path / "index"), ports) as processes,
        behind_nginx(tmp_path, in_front_of(ports, documented())) as client,
        ThreadPoolExecutor(8) as readers,
    ):
        assert set(readers.map(answer, range(60))) == {(200, "answer")}


def port_told(reply: dict[str, Any]) -> str:
    """Return the port that an answer tells, and that all of its citations have."""
    (told,) = {*re.findall(r"\b(?:8080|9090)\b", f"{reply['answer']} {[one['excerpt'] for one in reply['citations']]}")}
    return str(told)


def test_a_push_is_served_by_all_under_load_and_a_message_is_answered_once_by_one_build(
    ports: list[int], postgres: PostgresServer, tmp_path: Path
):
    for port in (8080, 9090):
        deploy(tmp_path / str(port), port)
    site, indexes = postgres.push(tmp_path / "8080/kit/pincite")[0], dict[str, set[str]]()

    def ask_twice(_: int) -> None:
        """Ask as a reader whose question is sent again, mostly to another sidecar."""
        body = question(PORT)
        replies = [client.post("/api/chat", json=body) for _ in range(2)]
        assert [reply.status_code for reply in replies] == [200, 200]
        first, again = (reply.json() for reply in replies)
        assert first == again, "the stages' times included"
        indexes.setdefault(port_told(first), set()).add(first["index_id"])

    with (
        started(site, ports, "--poll-seconds", "0.2"),
        behind_nginx(tmp_path, in_front_of(ports, of_compose())) as client,
        ThreadPoolExecutor(4) as readers,
    ):
        assert {served(port) for port in ports} == {"b-8080"}
        list(readers.map(ask_twice, range(8)))
        pushing = subprocess.Popen([*_PUSH, tmp_path / "9090/kit/pincite", site], stdout=subprocess.DEVNULL)
        until(lambda: bool(list(readers.map(ask_twice, range(8)))) and {served(one) for one in ports} == {"b-9090"})
        assert pushing.wait() == 0
        list(readers.map(ask_twice, range(8)))
    assert sorted(indexes) == ["8080", "9090"]
    assert [len(of_build) for of_build in indexes.values()] == [1, 1]
    assert indexes["8080"] != indexes["9090"]
