"""What a reader sees, and what the server does, when readers leave and parts fail."""

import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from litestar import Litestar
from tests.integration.serving import build_tiny_index, count_questions, question, serve_app, until
from tests.patience import PATIENCE

from pincite_core.embedders import FakeEmbedder, Vectors
from pincite_core.index.read import Index
from pincite_core.types import Role
from pincite_server.answerer import Answerer
from pincite_server.http.app import create_app
from pincite_server.indexes.registry import IndexSet, ServedIndex
from pincite_server.settings import Settings

FIRST = "Which port does the Lantern image listen on?"
SECOND = "How do I install the package with npm?"


class HeldEmbedder(FakeEmbedder):
    """Encodes only when let; remembers what it was asked to encode."""

    def __init__(self) -> None:
        self.let = threading.Event()
        self.asked: list[str] = []

    def encode(self, texts: Sequence[str], role: Role = "passage") -> Vectors:
        self.asked.extend(texts)
        assert self.let.wait(PATIENCE)
        return super().encode(texts, role)


class BrokenEmbedder(FakeEmbedder):
    def encode(self, texts: Sequence[str], role: Role = "passage") -> Vectors:
        message = "cannot read /srv/secret/model.bin"
        raise RuntimeError(message)


@contextmanager
def served_with(embedder: FakeEmbedder, folder: Path) -> Iterator[httpx.Client]:
    with serve_app(application_with(embedder, folder)) as client:
        yield client


def application_with(embedder: FakeEmbedder, folder: Path) -> Litestar:
    answerer = replace(Answerer.with_embedder(Index.open(build_tiny_index(folder)), FakeEmbedder()), embedder=embedder)
    settings = Settings(threads=1, rate_limit=0, address_limit=0)
    return create_app(settings, IndexSet([ServedIndex(answerer, {})]))


def requests_left(app: Litestar, route: str = "/api/chat") -> float:
    """Return how many requests the sidecar knows to have been left by who sent them."""
    labels = {"method": "POST", "route": route, "status": "499"}
    return app.state.sidecar.metrics.registry.get_sample_value("pincite_http_requests_total", labels) or 0.0


def test_a_question_whose_reader_has_left_is_never_worked_on(tmp_path: Path):
    embedder = HeldEmbedder()
    app = application_with(embedder, tmp_path)
    with serve_app(app) as client:
        patient = threading.Thread(target=client.post, args=("/api/chat",), kwargs={"json": question(FIRST)})
        patient.start()
        until(lambda: bool(embedder.asked))
        with pytest.raises(httpx.ReadTimeout):  # the only thread is busy, so this one waits in line, and gives up
            client.post("/api/chat", json=question(SECOND), timeout=0.3)
        until(lambda: requests_left(app) == 1)
        embedder.let.set()
        patient.join(PATIENCE)
        assert client.post("/api/chat", json=question(FIRST)).status_code == 200
    assert SECOND not in embedder.asked


@pytest.mark.parametrize("route", ["/api/chat", "/query-selected-text", "/api/resolve"])
def test_who_hangs_up_in_the_middle_of_a_body_is_no_failure(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, route: str
):
    app = application_with(FakeEmbedder(), tmp_path)
    head = f"POST {route} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n"
    with serve_app(app) as client:
        address = client.base_url.host, client.base_url.port or 80
        with socket.create_connection(address) as connection:
            connection.sendall(head.encode() + b'{"query')
        until(lambda: requests_left(app, route) == 1)
    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == []


def test_a_duplicate_of_a_question_under_way_waits_for_its_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    embedder, arrived = HeldEmbedder(), count_questions(monkeypatch)
    body = question(FIRST)
    replies: list[httpx.Response] = []
    with served_with(embedder, tmp_path) as client:
        threads = [
            threading.Thread(target=lambda: replies.append(client.post("/api/chat", json=body))) for _ in range(3)
        ]
        for thread in threads:
            thread.start()
        until(lambda: len(arrived) == 3)
        embedder.let.set()
        for thread in threads:
            thread.join(PATIENCE)
    assert len({reply.text for reply in replies}) == 1
    assert embedder.asked.count(FIRST) == 1


def test_a_failure_inside_is_a_500_that_tells_nothing_of_it(tmp_path: Path):
    with served_with(BrokenEmbedder(), tmp_path) as client:
        response = client.post("/api/chat", json=question(FIRST), headers={"accept": "text/event-stream"})
    assert (response.status_code, response.headers["content-type"]) == (500, "application/problem+json")
    assert response.json()["code"] == "internal_error"
    assert "secret" not in response.text
    assert "Traceback" not in response.text


def test_after_a_failure_the_same_message_can_be_sent_again(tmp_path: Path):
    embedder = BrokenEmbedder()
    body = question(FIRST)
    with served_with(embedder, tmp_path) as client:
        assert client.post("/api/chat", json=body).status_code == 500
        embedder.encode = FakeEmbedder().encode  # type: ignore[method-assign]
        assert client.post("/api/chat", json=body).status_code == 200


def test_health_answers_while_every_thread_is_busy(tmp_path: Path):
    embedder = HeldEmbedder()
    with served_with(embedder, tmp_path) as client:
        waiting = threading.Thread(target=client.post, args=("/api/chat",), kwargs={"json": question(FIRST)})
        waiting.start()
        until(lambda: bool(embedder.asked))
        assert client.get("/health").json()["status"] == "ok"
        embedder.let.set()
        waiting.join(PATIENCE)
