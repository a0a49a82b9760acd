"""The encoder beside an index is loaded only when it is whole and the one that made the index."""

from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from tests.factories import build_index

from pincite_core.embedders import FakeEmbedder, ModelInfo, encoder_from, load_index_embedder
from pincite_core.embedders.shipped import sha256
from pincite_core.errors import IndexCorruptError, ModelMismatchError, ModelNotFoundError
from pincite_core.index.schema import ENCODER_NAME, INFO_NAME, TOKENIZER_NAME
from pincite_core.types import Prompts
from pincite_server.answerer import Answerer

ONNX, TOKENIZER = b"the encoder", b"the tokenizer"
ENTRY = {
    "file": ENCODER_NAME,
    "sha256": sha256(ONNX),
    "tokenizer": TOKENIZER_NAME,
    "tokenizer_sha256": sha256(TOKENIZER),
    "max_tokens": 128,
    "pooling": "mean",
    "parity": {"mean": 0.99, "min": 0.98, "sample": 32},
}


def ship(folder: Path, entry: dict[str, object] | None, files: Path | None = None) -> Path:
    """Write an `index.json` to a folder, and the encoder's files there or elsewhere."""
    for place in (folder, files or folder):
        place.mkdir(parents=True, exist_ok=True)
    facts = {"model": "a-model", "weights_sha256": "1" * 64, "dimension": 8, "encoder": entry}
    (folder / INFO_NAME).write_bytes(msgspec.json.encode(facts))
    ((files or folder) / ENCODER_NAME).write_bytes(ONNX)
    ((files or folder) / TOKENIZER_NAME).write_bytes(TOKENIZER)
    return folder


def test_an_encoder_is_read_with_the_model_it_was_made_from(tmp_path: Path) -> None:
    encoder = encoder_from(ship(tmp_path, ENTRY))
    assert encoder is not None
    assert encoder.info == ModelInfo("a-model", "1" * 64, 8, 128, sha256(ONNX))
    assert (encoder.onnx, encoder.tokenizer, encoder.pooling) == (ONNX, TOKENIZER, "mean")


def test_an_encoder_has_the_prompts_that_index_json_names(tmp_path: Path) -> None:
    prompts = Prompts("query: ", "passage: ")
    facts = msgspec.json.decode((ship(tmp_path, ENTRY) / INFO_NAME).read_bytes())
    (tmp_path / INFO_NAME).write_bytes(msgspec.json.encode({**facts, "prompts": msgspec.to_builtins(prompts)}))
    encoder = encoder_from(tmp_path)
    assert encoder is not None
    assert encoder.info.prompts == prompts


@pytest.mark.parametrize("prompt", [3, "long " * 1000])
def test_invalid_prompts_make_an_index_json_invalid(tmp_path: Path, prompt: object) -> None:
    facts = msgspec.json.decode((ship(tmp_path, ENTRY) / INFO_NAME).read_bytes())
    (tmp_path / INFO_NAME).write_bytes(msgspec.json.encode({**facts, "prompts": {"query": prompt}}))
    with pytest.raises(IndexCorruptError, match="is damaged"):
        encoder_from(tmp_path)


def test_an_encoder_of_another_locales_folder_is_followed(tmp_path: Path) -> None:
    entry = ENTRY | {"file": "../../pincite/encoder.onnx", "tokenizer": "../../pincite/tokenizer.json"}
    encoder = encoder_from(ship(tmp_path / "fr/pincite", entry, tmp_path / "pincite"))
    assert encoder is not None
    assert encoder.onnx == ONNX


def test_an_index_without_an_encoder_has_none(tmp_path: Path) -> None:
    assert encoder_from(ship(tmp_path, None)) is None
    assert encoder_from(tmp_path / "empty") is None


@pytest.mark.parametrize("name", [ENCODER_NAME, TOKENIZER_NAME])
def test_a_file_that_is_not_the_one_named_is_refused(tmp_path: Path, name: str) -> None:
    (ship(tmp_path, ENTRY) / name).write_bytes(b"another")
    with pytest.raises(ModelMismatchError, match=rf"{name} is not the file that index.json names. Copy the whole"):
        encoder_from(tmp_path)


@pytest.mark.parametrize("name", [ENCODER_NAME, TOKENIZER_NAME])
def test_a_file_that_is_missing_is_named(tmp_path: Path, name: str) -> None:
    (ship(tmp_path, ENTRY) / name).unlink()
    with pytest.raises(ModelNotFoundError, match=rf"{name}, which index.json names, cannot be read"):
        encoder_from(tmp_path)


def test_a_damaged_index_json_is_said_to_be(tmp_path: Path) -> None:
    (ship(tmp_path, ENTRY) / INFO_NAME).write_text("{")
    with pytest.raises(IndexCorruptError, match="is damaged"):
        encoder_from(tmp_path)


def test_an_index_made_by_an_encoder_that_is_not_there_says_what_to_copy(tmp_path: Path) -> None:
    info = replace(build_index(tmp_path, {"/a": "# A"}).info, encoder="2" * 64)
    with pytest.raises(
        ModelNotFoundError, match=r"made with its own encoder, which is not there. Copy the whole folder"
    ):
        load_index_embedder(tmp_path, info)


def test_an_index_without_an_encoder_loads_its_model_by_name(tmp_path: Path) -> None:
    info = build_index(tmp_path, {"/a": "# A"}).info
    assert isinstance(load_index_embedder(tmp_path, info), FakeEmbedder)


@pytest.mark.parametrize(("index_has", "loaded_has"), [("2" * 64, ""), ("", "2" * 64), ("2" * 64, "3" * 64)])
def test_the_same_model_run_otherwise_is_refused_with_the_fix(tmp_path: Path, index_has: str, loaded_has: str) -> None:
    class Embedder(FakeEmbedder):
        info = replace(FakeEmbedder.info, encoder=index_has)

    class Other(FakeEmbedder):
        info = replace(FakeEmbedder.info, encoder=loaded_has)

    index = build_index(tmp_path, {"/a": "# A"}, embedder=Embedder())
    assert Answerer.with_embedder(index, Embedder()).index is index
    with pytest.raises(
        ModelMismatchError, match=r"Serve the whole index folder .* or rebuild the index with --no-enco"
    ):
        Answerer.with_embedder(index, Other())


def test_vectors_are_kept_apart_by_all_that_changes_them() -> None:
    model = ModelInfo("m", "1" * 64, 8, 128)
    others = [replace(model, weights_sha256="2" * 64), replace(model, encoder="3" * 64), replace(model, max_tokens=64)]
    assert len({one.vectors_key for one in (model, *others)}) == 4
    assert replace(model, name="a copy elsewhere").vectors_key == model.vectors_key
