"""Any model becomes an encoder that agrees with it, reads what it reads, and names nothing of the machine."""

import logging
from dataclasses import replace
from pathlib import Path

import numpy as np
import onnx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tiny_model import TINY_DIMENSION, TINY_TOKENS, save_static_model, save_tiny_model
from tests.unit.indexer.vectors.conftest import Exported
from tokenizers import Tokenizer

from pincite_core.embedders import Embedder, Encoder, OnnxEmbedder, SentenceTransformerEmbedder, load_embedder
from pincite_core.search.late_interaction import TOKEN_DIMENSION, project_tokens
from pincite_indexer.vectors.encoder_export import EncoderExportError, export_encoder

pytestmark = pytest.mark.slow  # torch exports each encoder

TEXTS = ["rotate the token", "a", "", "Wörter & 数字 42", "the quick brown fox jumps over the lazy dog " * 9]


def model_at(folder: Path) -> SentenceTransformerEmbedder:
    model = load_embedder(str(folder))
    assert isinstance(model, SentenceTransformerEmbedder)
    return model


@pytest.fixture(scope="module")
def pairs(exported: dict[str, Exported]) -> dict[str, tuple[Embedder, Encoder]]:
    """A model and its encoder, for each way of pooling."""
    return {name: (each.model, each.encoder) for name, each in exported.items()}


@pytest.fixture(params=["mean", "cls"])
def pair(request: pytest.FixtureRequest, pairs: dict[str, tuple[Embedder, Encoder]]) -> tuple[Embedder, Encoder]:
    return pairs[request.param]


@pytest.fixture(scope="module")
def encoder(pairs: dict[str, tuple[Embedder, Encoder]]) -> OnnxEmbedder:
    return pairs["mean"][1].load()


def test_the_encoder_agrees_with_its_model(pair: tuple[Embedder, Encoder]) -> None:
    model, encoder = pair
    ours, theirs = encoder.load().encode(TEXTS), model.encode(TEXTS)
    assert (ours * theirs).sum(axis=1).min() > 0.99
    # a random model gives all texts much the same vector: what tells two apart must agree as well
    ours, theirs = ours[:-1] - ours[-1], theirs[:-1] - theirs[-1]
    products = (ours * theirs).sum(axis=1) / np.linalg.norm(ours, axis=1) / np.linalg.norm(theirs, axis=1)
    assert products.min() > 0.9


def test_poolings_give_different_encoders_that_are_named(pairs: dict[str, tuple[Embedder, Encoder]]) -> None:
    mean, cls = (encoder for _, encoder in pairs.values())
    assert (mean.pooling, cls.pooling) == ("mean", "cls")
    assert mean.info.weights_sha256 == cls.info.weights_sha256
    assert mean.info.vectors_key != cls.info.vectors_key


def test_the_encoder_says_which_model_it_is_and_who_ran(pair: tuple[Embedder, Encoder]) -> None:
    model, encoder = pair
    assert replace(encoder.info, encoder="") == model.info
    assert len(encoder.info.encoder) == 64
    assert encoder.load().info == encoder.info


def test_exporting_again_gives_the_same_bytes_and_prints_nothing(
    pairs: dict[str, tuple[Embedder, Encoder]], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = save_tiny_model(tmp_path)
    capfd.readouterr()
    again = export_encoder(model_at(folder))
    assert (again.onnx, again.tokenizer) == (pairs["mean"][1].onnx, pairs["mean"][1].tokenizer)
    assert capfd.readouterr() == ("", "")
    assert logging.root.manager.disable == logging.NOTSET


def test_the_encoder_names_no_file_of_this_machine(pair: tuple[Embedder, Encoder]) -> None:
    data = pair[1].onnx
    assert b".py" not in data
    assert str(Path.home()).encode() not in data


def test_the_encoder_has_int8_weights_float_activations_and_free_axes(pair: tuple[Embedder, Encoder]) -> None:
    graph = onnx.load_from_string(pair[1].onnx).graph
    axes = [axis.dim_param for given in graph.input for axis in given.type.tensor_type.shape.dim]
    kinds = {node.op_type for node in graph.node}
    assert {"DequantizeLinear", "MatMul"} <= kinds
    assert not {"MatMulInteger", "DynamicQuantizeLinear"} & kinds
    assert len(axes) == 4
    assert all(axes)
    assert [output.name for output in graph.output] == ["sentence_embedding", "token_states"]


def test_the_tokenizer_cuts_at_the_models_length_and_never_pads(pair: tuple[Embedder, Encoder]) -> None:
    tokenizer = Tokenizer.from_buffer(pair[1].tokenizer)
    assert len(tokenizer.encode("a " * 100).ids) == TINY_TOKENS
    assert len(tokenizer.encode("a").ids) == 3
    assert tokenizer.padding is None


@given(st.lists(st.text(max_size=60), min_size=1, max_size=12))
def test_a_vector_does_not_depend_on_other_texts(encoder: OnnxEmbedder, texts: list[str]) -> None:
    together = encoder.encode(texts)
    assert together.shape == (len(texts), TINY_DIMENSION)
    for text, vector in zip(texts, together, strict=True):
        assert np.array_equal(encoder.encode([text])[0], vector)


def test_every_vector_has_length_one(encoder: OnnxEmbedder) -> None:
    assert np.linalg.norm(encoder.encode(TEXTS), axis=1).tolist() == pytest.approx([1] * len(TEXTS), abs=1e-5)
    assert encoder.encode([]).shape == (0, TINY_DIMENSION)


def test_the_tokens_of_the_encoder_are_those_of_its_model(pairs: dict[str, tuple[Embedder, Encoder]]) -> None:
    model, encoder = pairs["mean"]
    assert isinstance(model, SentenceTransformerEmbedder)
    text = "rotate token"  # of a letter a token, and each of them says something
    states = model.model.encode(text, output_value="token_embeddings")[1:-1].numpy()
    ours, theirs = encoder.load().encode_with_tokens([text])[0].tokens, project_tokens(states)
    assert ours is not None
    assert ours.shape == theirs.shape
    assert (ours * theirs).sum(axis=1).min() > 0.95


@given(st.lists(st.text(max_size=60), min_size=1, max_size=6))
def test_vectors_of_a_text_and_its_tokens_do_not_depend_on_other_texts(encoder: OnnxEmbedder, texts: list[str]) -> None:
    together = encoder.encode_with_tokens(texts)
    for text, vector, encoded in zip(texts, encoder.encode(texts), together, strict=True):
        (alone,) = encoder.encode_with_tokens([text])
        assert np.array_equal(encoded.vector, vector)
        assert encoded.tokens is not None
        assert alone.tokens is not None
        assert np.array_equal(alone.tokens, encoded.tokens)
        assert encoded.tokens.shape[1:] == (TOKEN_DIMENSION,)
        assert len(encoded.tokens)


def test_a_text_that_is_no_valid_unicode_is_encoded_all_the_same(encoder: OnnxEmbedder) -> None:
    assert np.isfinite(encoder.encode(["half \ud83d a pair"])).all()
    (encoded,) = encoder.encode_with_tokens(["half \ud83d a pair"])
    assert encoded.tokens is not None
    assert np.isfinite(encoded.tokens).all()


def test_a_model_without_an_onnx_form_is_refused_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(EncoderExportError, match="static cannot be exported") as caught:
        export_encoder(model_at(save_static_model(tmp_path)))
    assert "\n" not in str(caught.value)
