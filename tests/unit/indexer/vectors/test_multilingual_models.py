"""Encoders of models with prompts, other poolings, layers and architectures are the models themselves."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.torch import load_file, save_file
from tests.multilingual_model import E5, SENTENCES, save_multilingual_model

from pincite_core.embedders import Embedder, Encoder, GivenPrompts, SentenceTransformerEmbedder, load_embedder
from pincite_core.embedders.sentence_transformer import quiet_libraries
from pincite_core.errors import ModelNotFoundError
from pincite_core.types import Prompts, Role
from pincite_indexer.vectors.encoder_choice import choose_encoder
from pincite_indexer.vectors.encoder_export import EncoderExportError, export_encoder, export_files, float_embedder

pytestmark = pytest.mark.slow  # torch runs beside each encoder

TEXTS = [*SENTENCES, "cache", "", "☃ <pad> ɸ", " ".join(SENTENCES) * 9]
LARGE = {"hidden_size": 768, "num_attention_heads": 12, "max_position_embeddings": 514}
ALIKE, ALIKE_IN_INT8 = 0.9999, 0.99


def save(folder: Path, *shape: str, **options: Any) -> Path:
    with quiet_libraries():
        return save_multilingual_model(folder, *shape, **options)


def loaded(model: Path) -> SentenceTransformerEmbedder:
    embedder = load_embedder(str(model))
    assert isinstance(embedder, SentenceTransformerEmbedder)
    return embedder


def require_alike(ours: Embedder, theirs: Embedder, least: float) -> None:
    """Compare vectors, and what tells texts apart: a random model gives all of them much the same vector.

    The latter not of int8, whose steps are larger than what tells random first tokens apart.
    """
    roles: tuple[Role, ...] = ("query", "passage")
    for role in roles:
        one, other = ours.encode(TEXTS, role), theirs.encode(TEXTS, role)
        assert (one * other).sum(axis=1).min() >= least
        one, other = one[:-1] - one[-1], other[:-1] - other[-1]
        lengths = np.linalg.norm(one, axis=1) * np.linalg.norm(other, axis=1)
        assert least < ALIKE or ((one * other).sum(axis=1) / lengths).min() > 0.999


SHAPES: dict[str, tuple[tuple[str, str], dict[str, Any]]] = {
    "mean": (("xlm-roberta", "mean"), {"prompts": E5}),
    "first token, 768 components, 512 tokens": (("xlm-roberta", "cls"), {"prompts": {"query": "query: "}, **LARGE}),
    "last token": (("xlm-roberta", "lasttoken"), {"normalize": False}),
    "a BERT with a tokenizer of sentencepiece": (("bert", "mean"), {}),
    "dense layer": (("bert", "mean"), {"dense": (40, "Tanh")}),
    "dense layer, first token": (("bert", "cls"), {"dense": (64, "Identity"), "normalize": False, "prompts": E5}),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_an_encoder_made_without_torch_is_the_model(shape: str, tmp_path: Path) -> None:
    architecture, options = SHAPES[shape]
    model = save(tmp_path, *architecture, **options)
    theirs, ours, encoder = loaded(model), float_embedder(model, "model"), export_files(model, "model")
    assert ours.info == theirs.info
    require_alike(ours, theirs, ALIKE)
    require_alike(encoder.load(), theirs, ALIKE_IN_INT8)


@pytest.mark.parametrize(
    ("architecture", "options"), [(("modernbert", "mean"), {"prompts": E5}), (("qwen3", "lasttoken"), {})]
)
def test_an_encoder_that_torch_exports_is_the_model(
    architecture: tuple[str, str], options: dict[str, Any], tmp_path: Path
) -> None:
    theirs = loaded(save(tmp_path, *architecture, **options))
    encoder: Encoder = export_encoder(theirs)
    assert encoder.pooling == architecture[1]
    require_alike(encoder.load(), theirs, ALIKE_IN_INT8)


def test_weights_in_bfloat16_are_read(tmp_path: Path) -> None:
    model = save(tmp_path)
    weights = load_file(model / "model.safetensors")
    save_file({name: values.bfloat16() for name, values in weights.items()}, model / "model.safetensors")
    ours, theirs = float_embedder(model, "model"), loaded(model)
    theirs.model.float()
    require_alike(ours, theirs, ALIKE)


def test_weights_that_were_saved_with_a_head_are_found(tmp_path: Path) -> None:
    model = save(tmp_path)
    before = export_files(model, "model")
    weights = load_file(model / "model.safetensors")
    save_file({f"roberta.{name}": values for name, values in weights.items()}, model / "model.safetensors")
    assert export_files(model, "model").onnx == before.onnx


def test_questions_and_passages_have_the_prompts_that_sentence_transformers_gives_them(tmp_path: Path) -> None:
    model = save(tmp_path, prompts={"query": "ask: ", "document": "told: "})
    ours, theirs = loaded(model), loaded(model).model
    assert np.allclose(ours.encode(TEXTS, "query"), theirs.encode_query(TEXTS, normalize_embeddings=True), atol=1e-6)
    assert np.allclose(ours.encode(TEXTS), theirs.encode_document(TEXTS, normalize_embeddings=True), atol=1e-6)


def test_a_prompt_counts_towards_what_the_model_reads_of_a_text(tmp_path: Path) -> None:
    model = save(tmp_path, prompts=E5)
    long = " ".join(SENTENCES)
    plain, ours = export_files(model, "m", GivenPrompts("", "")).load(), export_files(model, "m").load()
    assert np.array_equal(ours.encode([long], "query"), plain.encode([f"query: {long}"]))
    assert np.array_equal(ours.encode([long], "passage"), plain.encode([f"passage: {long}"]))
    assert not np.array_equal(ours.encode([long], "query"), plain.encode([long]))


def test_the_tokens_of_a_prompt_are_not_compared(tmp_path: Path) -> None:
    model = save(tmp_path, prompts=E5)
    tokens = [
        export_files(model, "m", given).load().encode_with_tokens(["cache answer"], "query")[0].tokens
        for given in (GivenPrompts(), GivenPrompts(query=""))
    ]
    assert tokens[0] is not None
    assert tokens[1] is not None
    assert len(tokens[0]) == len(tokens[1])


def test_the_share_of_unknown_tokens_is_reported(tmp_path: Path) -> None:
    model = save(tmp_path)
    for embedder in (export_files(model, "m").load(), loaded(model)):
        assert "<unk>" in embedder.pieces("ɸɸɸ")
        assert "<unk>" not in embedder.pieces("cache")


def test_a_pooling_without_the_prompt_is_run_by_torch_alone(tmp_path: Path) -> None:
    model = save(tmp_path, prompts=E5, include_prompt=False)
    with pytest.raises(EncoderExportError, match="its pooling excludes prompts"):
        export_encoder(loaded(model))
    choice = choose_encoder(str(model), list(SENTENCES), cache_root=None)
    assert choice.encoder is None
    assert choice.embedder.info.prompts == Prompts("query: ", "passage: ")
    assert "excludes prompts" in choice.why_none


def test_the_encoder_that_a_build_ships_has_the_prompts_it_used(tmp_path: Path) -> None:
    model = save(tmp_path, prompts=E5)
    for given, expected in ((GivenPrompts(), Prompts(**E5)), (GivenPrompts("q: "), Prompts("q: ", "passage: "))):
        choice = choose_encoder(str(model), list(SENTENCES), cache_root=tmp_path / "cache", given=given)
        assert choice.encoder is not None
        assert choice.embedder.info.prompts == choice.encoder.info.prompts == expected
        assert choice.encoder.parity is not None
        assert choice.encoder.parity.mean > ALIKE_IN_INT8


def test_a_missing_torch_is_one_sentence_with_the_install_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = save(tmp_path, "qwen3", "lasttoken")
    for name in ("sentence_transformers", "torch"):
        monkeypatch.setitem(__import__("sys").modules, name, None)
    with pytest.raises(
        ModelNotFoundError, match=r"of the type qwen3 .* pip install 'pincite\[index,torch\]'"
    ) as caught:
        choose_encoder(str(model), list(SENTENCES), cache_root=None)
    assert "\n" not in str(caught.value)
