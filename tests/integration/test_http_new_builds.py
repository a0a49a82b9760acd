"""A new build of the site is served without a restart; a bad one is not."""

import hashlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import msgspec
import pytest
from tests.factories import build_index
from tests.integration.serving import ask, question, serve_app, until

from pincite_core.errors import IndexCorruptError
from pincite_server.answering.pipeline import answer
from pincite_server.http.app import create_app
from pincite_server.indexes.registry import IndexSet
from pincite_server.indexes.source import IndexSource
from pincite_server.question.question import Question
from pincite_server.settings import Settings

QUESTION = "Which port does the Lantern image listen on?"


def write_build(folder: Path, port: int) -> None:
    build_index(folder, {"/install": f"# Install\n## Docker {{#docker}}\nThe Lantern image listens on port {port}.\n"})
    data = (folder / "index.db").read_bytes()
    facts = {"build_id": f"b-{port}", "sha256": hashlib.sha256(data).hexdigest(), "size": len(data)}
    (folder / "index.json").write_bytes(msgspec.json.encode(facts))


def status(client: httpx.Client) -> tuple[str, bool]:
    reply = client.get("/ready").json()
    return reply["indexes"][0]["build_id"], reply["newest_refused"]


def looked_at(client: httpx.Client) -> str:
    return str(client.get("/ready").json()["looked_at"] or "")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_build(tmp_path, 8080)
    return tmp_path


@pytest.fixture
def client(folder: Path) -> Iterator[httpx.Client]:
    source = IndexSource(folder)
    settings = Settings(rate_limit=0, address_limit=0, poll_seconds=0.02, threads=2)
    with serve_app(create_app(settings, source.open(), source)) as running:
        yield running


def test_a_new_build_answers_from_then_on(folder: Path, client: httpx.Client):
    assert "8080" in ask(client, QUESTION).json()["answer"]
    write_build(folder, 9090)
    until(lambda: status(client) == ("b-9090", False))
    assert "9090" in ask(client, QUESTION).json()["answer"]


def test_a_repeated_message_keeps_the_answer_and_the_index_that_gave_it(folder: Path, client: httpx.Client):
    body = question(QUESTION)
    first = client.post("/api/chat", json=body).json()
    write_build(folder, 9090)
    until(lambda: status(client) == ("b-9090", False))
    assert client.post("/api/chat", json=body).json() == first


def test_a_damaged_build_is_refused_while_the_earlier_one_answers(folder: Path, client: httpx.Client):
    (folder / "index.db").write_bytes(b"not a database")
    until(lambda: status(client) == ("b-8080", True))
    assert "8080" in ask(client, QUESTION).json()["answer"]
    write_build(folder, 9090)
    until(lambda: status(client) == ("b-9090", False))


def test_an_index_that_is_not_the_one_its_facts_describe_is_refused(
    folder: Path, client: httpx.Client, tmp_path_factory: pytest.TempPathFactory
):
    other = tmp_path_factory.mktemp("other")
    write_build(other, 9090)
    (other / "index.json").replace(folder / "index.json")
    until(lambda: status(client) == ("b-8080", True))
    assert "is not the file that its index.json names" in client.get("/ready").json()["problem"]


def test_a_build_that_opens_but_cannot_answer_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch):
    source = IndexSource(folder)
    served = source.open()

    def failing(*_: object) -> None:
        message = "no such section"
        raise LookupError(message)

    monkeypatch.setattr("pincite_server.indexes.shared_models.answer", failing)
    write_build(folder, 9090)
    with pytest.raises(IndexCorruptError, match="ended with LookupError"):
        source.refresh()
    assert "8080" in answer(served.default.answerer, Question(QUESTION)).text


def test_a_build_under_way_that_has_removed_the_index_changes_nothing(folder: Path, client: httpx.Client):
    for file in folder.iterdir():
        file.unlink()
    for _ in range(2):  # the first may have begun before
        looked = looked_at(client)
        until(lambda: looked_at(client) > looked)  # noqa: B023  # called at once
    assert status(client) == ("b-8080", False)
    assert "8080" in ask(client, QUESTION).json()["answer"]


def test_readers_are_answered_through_a_series_of_builds(folder: Path, client: httpx.Client):
    for port in range(9000, 9010):
        write_build(folder, port)
        for _ in range(5):
            assert ask(client, QUESTION).status_code == 200
    until(lambda: status(client) == ("b-9009", False))


def test_copies_of_two_builds_are_kept_and_no_more(folder: Path, tmp_path_factory: pytest.TempPathFactory):
    cache = tmp_path_factory.mktemp("cache")
    source = IndexSource(folder, cache=cache)
    indexes: IndexSet | None = source.open()
    for port in (9090, 9091, 9092):
        write_build(folder, port)
        indexes = source.refresh()
        assert indexes is not None
    source.refresh()
    assert len(list(cache.glob("sites/*/*/builds/*"))) == 2


def test_the_index_that_a_question_under_way_reads_stays_until_it_is_answered(folder: Path):
    source = IndexSource(folder)
    began_with = source.open()
    for port in (9090, 9091, 9092):
        write_build(folder, port)
        source.refresh()
    with ThreadPoolExecutor(1) as another_thread:  # opens the file anew
        reply = another_thread.submit(answer, began_with.default.answerer, Question(QUESTION)).result()
    assert "8080" in reply.text
