"""What a model's files say, in the forms that sentence-transformers has written them in."""

import json
from pathlib import Path

import pytest

from pincite_indexer.vectors.onnx_graphs.model_files import UnknownModelError, read_model_files

XLM_R = {"model_type": "xlm-roberta", "hidden_size": 8, "pad_token_id": 1}
_PARTS = ("sentence_transformers.models.Transformer", "sentence_transformers.models.Pooling")

WITH_DENSE = [
    {"type": kind, "path": path} for kind, path in zip((*_PARTS, "a.Dense"), ("", "1_Pooling", "2_Dense"), strict=True)
]


def write_model(folder: Path, **changed: object) -> Path:
    """Write a model's settings as its files have them, with the content of some files changed."""
    files: dict[str, object] = {
        "modules": [{"type": kind, "path": path} for kind, path in zip(_PARTS, ("", "1_Pooling"), strict=True)],
        "config": {"model_type": "bert", "hidden_size": 8, "max_position_embeddings": 64},
        "sentence_bert_config": {"max_seq_length": 32, "do_lower_case": False},
        "tokenizer_config": {"model_max_length": 48},
        "1_Pooling/config": {"pooling_mode_mean_tokens": True, "pooling_mode_cls_token": False},
    }
    for name, content in (files | changed).items():
        file = folder / f"{name}.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content if isinstance(content, str) else json.dumps(content))
    return folder


@pytest.mark.parametrize(
    ("pooling", "expected"),
    [
        ({"pooling_mode_mean_tokens": True}, "mean"),
        ({"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False}, "cls"),
        ({"pooling_mode_lasttoken": True, "pooling_mode_mean_tokens": False}, "lasttoken"),
        ({"pooling_mode": "mean"}, "mean"),
        ({"pooling_mode": "cls", "include_prompt": True}, "cls"),
    ],
)
def test_the_pooling_is_read_in_both_forms(tmp_path: Path, pooling: object, expected: str) -> None:
    assert read_model_files(write_model(tmp_path, **{"1_Pooling/config": pooling})).pooling == expected


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({}, 32),
        ({"sentence_bert_config": {}}, 48),
        ({"sentence_bert_config": {}, "tokenizer_config": {"model_max_length": 10**30}}, 64),
        ({"sentence_bert_config": {"max_seq_length": 514}, "config": {**XLM_R, "max_position_embeddings": 514}}, 512),
        ({"sentence_bert_config": {"max_seq_length": 128}, "config": {**XLM_R, "max_position_embeddings": 514}}, 128),
    ],
)
def test_the_length_is_the_models_own_or_the_least_that_is_named(
    tmp_path: Path, changed: dict[str, object], expected: int
) -> None:
    assert read_model_files(write_model(tmp_path, **changed)).max_tokens == expected


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"modules": [{"type": "a.StaticEmbedding"}]}, "its parts are StaticEmbedding"),
        ({"modules": []}, "its parts are not named"),
        ({"modules": "half"}, "modules.json is missing or damaged"),
        ({"1_Pooling/config": {"pooling_mode_max_tokens": True}}, "its pooling is pooling_mode_max_tokens"),
        ({"1_Pooling/config": {"pooling_mode": ["cls", "mean"]}}, "its pooling is"),
        ({"1_Pooling/config": {}}, "its pooling is not named"),
        ({"config": {"model_type": "bert"}}, "config.json names no hidden_size"),
        ({"1_Pooling/config": {"pooling_mode": "mean", "include_prompt": False}}, "excludes prompts"),
        ({"modules": WITH_DENSE, "2_Dense/config": {"activation_function": "torch.nn.ReLU"}}, "of another kind"),
        ({"modules": WITH_DENSE, "2_Dense/config": {"use_residual": True}}, "of another kind"),
        ({"modules": WITH_DENSE, "2_Dense/config": {"module_input_name": "token_embeddings"}}, "of another kind"),
        ({"modules": WITH_DENSE, "2_Dense/config": {}}, "names no out_features"),
        ({"modules": [*WITH_DENSE, {"type": "a.LayerNorm", "path": ""}]}, "its parts are"),
        ({"sentence_bert_config": {"do_lower_case": True}}, "converts texts to lower case"),
        ({"sentence_bert_config": {}, "tokenizer_config": {}, "config": {"hidden_size": 8}}, "name no length"),
    ],
)
def test_uncertain_model_files_are_left_to_sentence_transformers(
    tmp_path: Path, changed: dict[str, object], why: str
) -> None:
    with pytest.raises(UnknownModelError, match=why):
        read_model_files(write_model(tmp_path, **changed))


def test_a_dense_layer_gives_the_vectors_their_length(tmp_path: Path) -> None:
    dense = {"out_features": 5, "activation_function": "torch.nn.modules.linear.Identity"}
    found = read_model_files(write_model(tmp_path, **{"modules": WITH_DENSE, "2_Dense/config": dense}))
    assert (found.dimension, [layer.activation for layer in found.dense]) == (5, ["Identity"])


def test_a_folder_without_a_model_is_an_unknown_one(tmp_path: Path) -> None:
    with pytest.raises(UnknownModelError, match=r"modules.json is missing"):
        read_model_files(tmp_path)
