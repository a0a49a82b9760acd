"""Builds share their models, and unneeded models and files are released."""

import dataclasses
import gc
import hashlib
import weakref
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from tests.factories import build_index

from pincite_core.embedders import Embedder, FakeEmbedder
from pincite_core.errors import IndexCorruptError
from pincite_core.types import IndexInfo
from pincite_server.indexes import shared_models
from pincite_server.indexes import source as index_source
from pincite_server.indexes.registry import IndexSet
from pincite_server.indexes.source import BuildOpener, IndexSource


class Named(FakeEmbedder):
    """An embedder that is named by the digest of an exported encoder."""

    def __init__(self, encoder: str) -> None:
        super().__init__()
        self.info = dataclasses.replace(self.info, encoder=encoder)


@pytest.fixture
def loaded(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[weakref.ref[Embedder]]]:
    """Weak references to all loaded models; no garbage collection frees one."""
    models: list[weakref.ref[Embedder]] = []

    def load(_: Path, info: IndexInfo) -> Embedder:
        model = Named(info.encoder)
        models.append(weakref.ref(model))
        return model

    monkeypatch.setattr(index_source, "load_index_embedder", load)
    gc.disable()
    yield models
    gc.enable()


def deploy(folder: Path, text: str, encoder: str) -> None:
    build_index(folder, {"/a": f"# A\n{text}"}, embedder=Named(encoder))
    data = (folder / "index.db").read_bytes()
    digest = hashlib.sha256(encoder.encode()).hexdigest()
    shipped = {"file": "encoder.onnx", "sha256": digest, "tokenizer": "tokenizer.json", "tokenizer_sha256": digest}
    facts = {
        "build_id": text,
        "sha256": hashlib.sha256(data).hexdigest(),
        "size": len(data),
        "encoder": {**shipped, "max_tokens": 128, "pooling": "mean"},
    }
    for name in (shipped["file"], shipped["tokenizer"]):
        (folder / name).write_text(encoder, encoding="utf-8")
    (folder / "index.json").write_bytes(msgspec.json.encode(facts))


def after(tmp_path: Path, *encoders: str) -> tuple[IndexSource, list[IndexSet | None]]:
    """Serve a build for each encoder, one after the other."""
    source = IndexSource(tmp_path / "site", cache=tmp_path / "cache")
    sets = []
    for number, encoder in enumerate(encoders):
        deploy(tmp_path / "site", f"Build {number}.", encoder)
        sets.append(source.refresh())
    return source, sets


def test_builds_with_the_same_encoder_share_it(tmp_path: Path, loaded: list[weakref.ref[Embedder]]) -> None:
    after(tmp_path, "one", "one", "one", "one")
    assert len(loaded) == 1


def test_an_unneeded_encoder_is_released_while_a_request_holds_its_index(
    tmp_path: Path, loaded: list[weakref.ref[Embedder]]
) -> None:
    _source, sets = after(tmp_path, "one", "two", "three")
    assert [model() is None for model in loaded] == [True, False, False]
    first = sets[0]
    assert first is not None
    assert first.default.answerer.encode("still answered").vector.shape == (64,)
    assert loaded[-1]() is None


def test_the_encoder_of_a_refused_build_is_released(
    tmp_path: Path, loaded: list[weakref.ref[Embedder]], monkeypatch: pytest.MonkeyPatch
) -> None:
    source, _ = after(tmp_path, "one")
    monkeypatch.setattr(shared_models, "answer", lambda *_: 1 / 0)
    deploy(tmp_path / "site", "Refused.", "two")
    with pytest.raises(IndexCorruptError):
        source.refresh()
    assert [model() is None for model in loaded] == [False, True]


def test_a_refused_build_raises_a_new_error_each_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, loaded: list[weakref.ref[Embedder]]
) -> None:
    source, _ = after(tmp_path, "one")
    monkeypatch.setattr(shared_models, "answer", lambda *_: 1 / 0)
    deploy(tmp_path / "site", "Refused.", "one")
    raised = []
    for _ in range(3):
        with pytest.raises(IndexCorruptError) as error:
            source.refresh()
        raised.append(error.value)
    assert {str(error) for error in raised} == {
        "The index cannot be served: a test of it ended with ZeroDivisionError. Copy it again or rebuild it."
    }
    assert len(set(map(id, raised))) == 3
    assert len(loaded) == 1


def test_files_of_a_closed_index_are_in_use_for_a_limited_time(tmp_path: Path) -> None:
    now = [0.0]
    build_index(tmp_path / "site", {"/a": "# A\nText."})
    opener = BuildOpener(clock=lambda: now[0])
    served = IndexSource(tmp_path / "site", cache=tmp_path / "cache").open().served
    opener.track(served)
    opener.retire(served)
    assert opener.files_in_use() == [served[0].answerer.index.file]
    now[0] = 601.0
    assert opener.files_in_use() == []
