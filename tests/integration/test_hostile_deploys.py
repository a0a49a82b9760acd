"""A hostile deploy is refused while the earlier one serves on, and keeps no later deploy from being served."""

import hashlib
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import httpx
import msgspec
import pytest
from tests.factories import build_index
from tests.hostile_indexes import DAMAGES, good_index
from tests.integration.indexing import assert_refused
from tests.integration.serving import ask, serve_app
from tests.patience import PATIENCE
from tests.small_encoders import BAD, TOKENIZER, endless, external, steady

from pincite_core.embedders import FakeEmbedder
from pincite_core.embedders.probe import Limits
from pincite_server.http.app import create_app
from pincite_server.indexes.live_indexes import LiveIndexes
from pincite_server.indexes.source import IndexSource
from pincite_server.settings import Settings

QUESTION = "Which port does the Lantern image listen on?"
_MAIN = "from pincite_core.cli import main; main()"

Damage = Callable[[Path], None]


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def write_build(folder: Path, port: int, onnx: bytes = steady(), tokenizer: bytes = TOKENIZER) -> None:
    """Write the build `b-PORT`, made by an encoder that travels with it."""

    class Maker(FakeEmbedder):
        info = replace(FakeEmbedder.info, name="small", encoder=sha256(onnx))

    text = f"# Install\n## Docker {{#docker}}\nThe Lantern image listens on port {port}.\n"
    build_index(folder, {"/install": text}, embedder=Maker())
    (folder / "encoder.onnx").write_bytes(onnx)
    (folder / "tokenizer.json").write_bytes(tokenizer)
    write_facts(folder, port)


def write_facts(folder: Path, port: int, **changes: object) -> None:
    data, info = (folder / "index.db").read_bytes(), FakeEmbedder.info
    encoder = {
        "file": "encoder.onnx",
        "sha256": sha256((folder / "encoder.onnx").read_bytes()),
        "tokenizer": "tokenizer.json",
        "tokenizer_sha256": sha256((folder / "tokenizer.json").read_bytes()),
        "max_tokens": 256,
        "pooling": "mean",
    }
    facts = {"build_id": f"b-{port}", "sha256": sha256(data), "size": len(data), "model": "small"}
    facts |= {"weights_sha256": info.weights_sha256, "dimension": info.dimension, "encoder": encoder | changes}
    (folder / "index.json").write_bytes(msgspec.json.encode(facts))


def until(happened: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.02)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_build(tmp_path / "pincite", 8080)
    return tmp_path / "pincite"


@pytest.fixture
def client(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[httpx.Client]:
    monkeypatch.setattr(Limits, "for_size", lambda size: Limits(384 << 20, cpu=1, wall=60))
    source = IndexSource(folder, cache=folder.parent / "cache")
    settings = Settings(rate_limit=0, address_limit=0, poll_seconds=0.02, threads=2)
    with serve_app(create_app(settings, source.open(), source)) as running:
        yield running


def status(client: httpx.Client) -> tuple[str, bool]:
    reply = client.get("/ready").json()
    return reply["indexes"][0]["build_id"], reply["newest_refused"]


def problem(client: httpx.Client) -> str:
    return str(client.get("/ready").json()["problem"])


def test_an_encoder_that_never_ends_is_refused_while_readers_are_answered_and_the_next_build_is_served(
    folder: Path, client: httpx.Client
) -> None:
    write_build(folder, 9090, endless())
    until(lambda: "processor time" in problem(client))
    assert status(client) == ("b-8080", True)
    assert "8080" in ask(client, QUESTION).json()["answer"]
    write_build(folder, 9191)
    until(lambda: status(client) == ("b-9191", False))
    assert "9191" in ask(client, QUESTION).json()["answer"]


@pytest.mark.parametrize("name", ["a page at a script", "three targets in a ring", "a tree of targets without an end"])
def test_a_hostile_index_is_refused_while_readers_are_answered_and_the_next_build_is_served(
    folder: Path, client: httpx.Client, name: str
) -> None:
    hostile = good_index(folder.parent / "hostile")
    DAMAGES[name](hostile)
    for file in hostile.iterdir():
        file.replace(folder / file.name)
    until(lambda: "is no usable index" in problem(client))
    assert status(client) == ("b-8080", True)
    assert "8080" in ask(client, QUESTION).json()["answer"]
    write_build(folder, 9191)
    until(lambda: status(client) == ("b-9191", False))


def refusals(folder: Path, cache: Path, damages: list[Damage]) -> list[str]:
    """Return what is said of one hostile build after the other, and check that a good one is served after each."""
    source = IndexSource(folder, cache=cache)
    live, said = LiveIndexes(source.open(), source), []
    for number, damage in enumerate(damages):
        damage(folder)
        assert not live.refresh()
        said.append(str(live.problem))
        write_build(folder, 9000 + number)
        assert live.refresh()
        assert (live.problem, live.current.default.build_id) == (None, f"b-{9000 + number}")
    assert live.refusals == len(damages)
    return said


def test_each_bad_encoder_is_refused_and_each_good_one_after_it_served(folder: Path, tmp_path: Path) -> None:
    bad = {name: BAD[name] for name in ("too much memory", "no numbers", "too few components", "a file of the system")}
    damages: list[Damage] = [lambda place, onnx=onnx: write_build(place, 8081, onnx) for onnx, _ in bad.values()]  # type: ignore[misc]
    said = refusals(folder, tmp_path / "cache", damages)
    assert all(why in message for message, (_, why) in zip(said, bad.values(), strict=True)), said


def test_an_encoder_is_not_taken_for_the_one_that_a_refused_index_named(folder: Path, tmp_path: Path) -> None:
    named, shipped = steady((0.0, 1.0, *[0.0] * 62)), steady((0.0, 0.0, 1.0, *[0.0] * 61))
    source = IndexSource(folder, cache=tmp_path / "cache")
    live = LiveIndexes(source.open(), source)
    write_build(folder, 8081, named)
    (folder / "encoder.onnx").write_bytes(shipped)
    write_facts(folder, 8081)
    assert not live.refresh()
    assert "made with its exported encoder" in str(live.problem)
    write_build(folder, 9090, named)
    assert live.refresh()


@pytest.mark.parametrize(
    "file",
    [
        "/dev/zero",
        "../encoder.onnx",
        "../../../../../../../../../../etc/passwd",
        "../../../../../../../../../../proc/self/mem",
        "sub/encoder.onnx",
        "file:///etc/passwd",
        "https://evil.example/encoder.onnx",
        "..\\encoder.onnx",
        "encoder.onnx\0",
        "",
        ".",
        "..",
    ],
)
@pytest.mark.parametrize("field", ["file", "tokenizer"])
def test_an_encoder_that_is_no_file_of_an_index_folder_is_not_looked_for(
    folder: Path, tmp_path: Path, field: str, file: str
) -> None:
    said = refusals(folder, tmp_path / "cache", [lambda place: write_facts(place, 8081, **{field: file})])
    assert "names an encoder that is not a file of an index folder" in said[0]


@pytest.mark.parametrize("name", ["encoder.onnx", "tokenizer.json"])
@pytest.mark.parametrize("kind", ["device", "pipe", "link", "folder", "huge"])
def test_an_encoder_that_is_no_plain_file_of_its_folder_is_not_read(
    folder: Path, tmp_path: Path, name: str, kind: str
) -> None:
    def replace_file(place: Path) -> None:
        write_build(place, 8081, steady((0.0, 1.0, *[0.0] * 62)), TOKENIZER + b"\n")
        file = place / name
        other = file.rename(tmp_path / "elsewhere")
        {
            "device": lambda: file.symlink_to("/dev/zero"),
            "pipe": lambda: os.mkfifo(file),
            "link": lambda: file.symlink_to(other),
            "folder": file.mkdir,
            "huge": lambda: (file.touch(), os.truncate(file, 1 << 40)),
        }[kind]()

    def clear(place: Path) -> None:
        file = place / name
        file.rmdir() if kind == "folder" else file.unlink()

    source = IndexSource(folder, cache=tmp_path / "cache")
    live = LiveIndexes(source.open(), source)
    replace_file(folder)
    assert not live.refresh()
    assert f"{name} cannot be read" in str(live.problem)
    clear(folder)
    write_build(folder, 9191)
    assert live.refresh()


def run(command: str, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    call = [sys.executable, "-c", _MAIN, command, str(folder), *arguments]
    return subprocess.run(call, capture_output=True, text=True, timeout=PATIENCE)


@pytest.mark.parametrize(
    "name",
    [
        "two targets that stand in each other",
        "a tree without an end",
        "a heading path without an end",
        "facts that are a pipe",
        "an index that is missing",
        "a text that is no UTF-8",
    ],
)
def test_a_command_on_a_damaged_index_ends_with_one_sentence(tmp_path: Path, name: str) -> None:
    folder = good_index(tmp_path / "pincite")
    DAMAGES[name](folder)
    command = ("serve", "--port", "0") if name.startswith("facts") else ("ask", "What is the second part?")
    assert_refused(run(command[0], folder, *command[1:]))


@pytest.mark.parametrize("command", [("ask", QUESTION), ("search", QUESTION), ("serve", "--port", "0")])
def test_a_command_on_an_index_with_a_hostile_encoder_ends_with_one_sentence(
    folder: Path, command: tuple[str, ...]
) -> None:
    write_build(folder, 8080, external("../../../etc/passwd"))
    assert_refused(run(command[0], folder, *command[1:]), "The encoder of this index cannot be used: it cannot be")
