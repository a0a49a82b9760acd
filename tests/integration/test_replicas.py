"""Three sidecars behind the nginx of docs/scale.md: one that is killed costs no reader an answer."""

import re
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest
from tests.integration.proxies import behind_nginx, free_port
from tests.integration.serving import build_tiny_index, question, serve_command, until
from tests.state_server import StateServer

PORT = "Which port does the Lantern image listen on?"
DOC = Path(__file__).parents[2] / "docs/scale.md"


def is_ready(port: int) -> bool:
    try:
        return httpx.get(f"http://127.0.0.1:{port}/ready").status_code == 200
    except httpx.HTTPError:
        return False


def documented(ports: list[int]) -> str:
    """Return the configuration of the page, for sidecars at these ports."""
    found = re.search(r"```nginx\n(.*?)```", DOC.read_text(encoding="utf-8"), re.DOTALL)
    assert found
    names = iter(ports)
    config = re.sub(r"server \S+:8765", lambda _: f"server 127.0.0.1:{next(names)}", found[1])
    return config.replace("listen 80;", "listen 127.0.0.1:PORT;")


@pytest.fixture
def replicas(
    tmp_path: Path, state: StateServer, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[httpx.Client, list[subprocess.Popen[str]]]]:
    index, ports = build_tiny_index(tmp_path / "index"), [free_port() for _ in range(3)]
    for name, value in {"STATE": state.url, "READER_SECRET": "a secret of this test", "RATE_LIMIT": "0"}.items():
        monkeypatch.setenv(f"PINCITE_{name}", value)
    monkeypatch.setenv("PINCITE_HOST_NAMES", "*")
    with ExitStack() as running:
        started = [
            running.enter_context(
                subprocess.Popen(serve_command(index, "--port", str(port)), stdout=subprocess.DEVNULL, text=True)
            )
            for port in ports
        ]
        running.callback(lambda: [one.kill() for one in started])
        until(lambda: all(is_ready(port) for port in ports))
        yield running.enter_context(behind_nginx(tmp_path, documented(ports))), started


def test_one_that_is_killed_under_load_costs_no_reader_an_answer(
    replicas: tuple[httpx.Client, list[subprocess.Popen[str]]],
):
    client, started = replicas

    def answer(number: int) -> tuple[int, str]:
        if number == 20:
            started[0].kill()
        reply = client.post("/api/chat", json=question(PORT))
        return reply.status_code, reply.json().get("type", "")

    with ThreadPoolExecutor(8) as readers:
        assert set(readers.map(answer, range(60))) == {(200, "answer")}
