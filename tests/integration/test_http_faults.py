"""What a reader sees, and what the server does, when readers leave and parts fail."""

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from tests.integration.serving import build_tiny_index, question, serve_app

from pincite_core.embedders import FakeEmbedder, Vectors
from pincite_core.index.read import Index
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

    def encode(self, texts: Sequence[str]) -> Vectors:
        self.asked.extend(texts)
        assert self.let.wait(20)
        return super().encode(texts)


class BrokenEmbedder(FakeEmbedder):
    def encode(self, texts: Sequence[str]) -> Vectors:
        message = "cannot read /srv/secret/model.bin"
        raise RuntimeError(message)


@contextmanager
def served_with(embedder: FakeEmbedder, folder: Path) -> Iterator[httpx.Client]:
    answerer = replace(Answerer.with_embedder(Index.open(build_tiny_index(folder)), FakeEmbedder()), embedder=embedder)
    settings = Settings(threads=1, rate_limit=0, address_limit=0)
    with serve_app(create_app(settings, IndexSet([ServedIndex(answerer, {})]))) as client:
        yield client


def test_a_question_whose_reader_has_left_is_never_worked_on(tmp_path: Path):
    embedder = HeldEmbedder()
    with served_with(embedder, tmp_path) as client:
        patient = threading.Thread(target=client.post, args=("/api/chat",), kwargs={"json": question(FIRST)})
        patient.start()
        while not embedder.asked:
            time.sleep(0.01)
        with pytest.raises(httpx.ReadTimeout):  # the only thread is busy, so this one waits in line, and gives up
            client.post("/api/chat", json=question(SECOND), timeout=0.3)
        time.sleep(0.2)
        embedder.let.set()
        patient.join(20)
        assert client.post("/api/chat", json=question(FIRST)).status_code == 200
    assert SECOND not in embedder.asked


def test_a_duplicate_of_a_question_under_way_waits_for_its_answer(tmp_path: Path):
    embedder = HeldEmbedder()
    body = question(FIRST)
    replies: list[httpx.Response] = []
    with served_with(embedder, tmp_path) as client:
        threads = [
            threading.Thread(target=lambda: replies.append(client.post("/api/chat", json=body))) for _ in range(3)
        ]
        for thread in threads:
            thread.start()
        time.sleep(0.2)
        embedder.let.set()
        for thread in threads:
            thread.join(20)
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
        while not embedder.asked:
            time.sleep(0.01)
        assert client.get("/health").json()["status"] == "ok"
        embedder.let.set()
        waiting.join(20)
