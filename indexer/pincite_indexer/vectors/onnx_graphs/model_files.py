"""Read the configuration and the weights of a sentence-transformers model without sentence-transformers.

This module accepts only settings that it knows. sentence-transformers reads all other models.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import numpy as np
import numpy.typing as npt

from pincite_core.embedders.sentence_transformer import FIRST_PLACE_BEHIND_PADDING
from pincite_core.errors import ModelError

__all__ = (
    "PUBLISHED_NAME",
    "WEIGHTS_NAME",
    "DenseLayer",
    "ModelFiles",
    "UnknownModelError",
    "Weights",
    "read_model_files",
    "stored_weights",
)

WEIGHTS_NAME = "model.safetensors"
PUBLISHED_NAME = "onnx/model.onnx"
_POOLINGS = ("cls", "mean", "lasttoken")
_LEGACY = {
    "pooling_mode_cls_token": "cls",
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_lasttoken": "lasttoken",
}
"""Pooling flags before sentence-transformers 5; a model with another flag is unknown."""
_ACTIVATIONS = {"Tanh": "Tanh", "Identity": "Identity"}
"""Activation functions: the class name in torch, and the node's name in ONNX."""
_TAKES = "sentence_embedding"
_PADDING = 1  # RoBERTa's default, used if config.json has none
_NO_LIMIT = 1 << 20  # tokens; tokenizers write 10^30 for a model without a limit
_KINDS = {"F16": np.float16, "F32": np.float32, "F64": np.float64}
_UPPER_HALF = "BF16"  # the upper half of a float32; numpy has no such type

Weights = dict[str, npt.NDArray[np.float32]]
_T = TypeVar("_T")


class UnknownModelError(ModelError):
    """The files lack a fact that the graph needs; the message is a clause that names it."""


@dataclass(frozen=True, slots=True)
class DenseLayer:
    """Dense layer after the pooling: the folder of its weights, and its activation's name in ONNX."""

    folder: Path
    activation: str


@dataclass(frozen=True, slots=True)
class ModelFiles:
    """Model that consists of a transformer, one pooling (`mean`, `cls` or `lasttoken`) and optional dense layers.

    `folder` holds the transformer's files, `config` its `config.json`. `max_tokens` limits the length of a text.
    """

    folder: Path
    config: Mapping[str, Any]
    pooling: str
    dimension: int
    max_tokens: int
    dense: tuple[DenseLayer, ...] = ()

    @property
    def first_place(self) -> int:
        """Return the position ID of a text's first token; RoBERTa's starts after the padding ID."""
        return _first_place(self.config)


def read_model_files(model: Path) -> ModelFiles:
    """Return the configuration in a model's folder.

    Raises:
        UnknownModelError: A file is missing or damaged, or the model has an unknown part.
    """
    modules = _read(model / "modules.json", list[dict[str, Any]])
    kinds = [str(module.get("type", "")).rpartition(".")[2] for module in modules]
    layers = kinds[2:-1] if kinds[-1:] == ["Normalize"] else kinds[2:]
    if kinds[:2] != ["Transformer", "Pooling"] or {*layers} - {"Dense"}:
        raise UnknownModelError(f"its parts are {', '.join(kinds) or 'not named'}")
    folder, pooling, *others = (model / str(module.get("path", "")) for module in modules)
    config = _read(folder / "config.json", dict[str, Any])
    if not isinstance(hidden := config.get("hidden_size"), int):
        raise UnknownModelError("config.json names no hidden_size")
    way = _pooling(_read(pooling / "config.json", dict[str, Any]))
    dense, dimension = [], hidden
    for place in others[: len(layers)]:
        layer, dimension = _dense(place)
        dense.append(layer)
    return ModelFiles(folder, config, way, dimension, _length(folder, config), tuple(dense))


def _dense(folder: Path) -> tuple[DenseLayer, int]:
    config = _read(folder / "config.json", dict[str, Any])
    activation = str(config.get("activation_function", "torch.nn.modules.activation.Tanh")).rpartition(".")[2]
    plain = {config.get("module_input_name", _TAKES), config.get("module_output_name") or _TAKES} == {_TAKES}
    if activation not in _ACTIVATIONS or not plain or config.get("use_residual"):
        raise UnknownModelError(f"its dense layer is of another kind ({activation})")
    if not isinstance(gives := config.get("out_features"), int):
        raise UnknownModelError("its dense layer names no out_features")
    return DenseLayer(folder, _ACTIVATIONS[activation]), gives


def _first_place(config: Mapping[str, Any]) -> int:
    padding = config.get("pad_token_id", _PADDING)
    behind = config.get("model_type") in FIRST_PLACE_BEHIND_PADDING and isinstance(padding, int)
    return padding + 1 if behind else 0


def _pooling(config: Mapping[str, Any]) -> str:
    if config.get("include_prompt") is False:
        raise UnknownModelError("its pooling excludes prompts")
    flags = [name for name, value in config.items() if name.startswith("pooling_mode_") and value is True]
    mode = config.get("pooling_mode") or "+".join(_LEGACY.get(name, name) for name in flags)
    if mode not in _POOLINGS:
        raise UnknownModelError(f"its pooling is {mode or 'not named'}")
    return str(mode)


def _length(folder: Path, config: Mapping[str, Any]) -> int:
    """Return the model's maximum number of tokens: the smallest limit in its files, as in sentence-transformers.

    The limit never exceeds the number of position embeddings. sentence-transformers would fail there.
    """
    places = config.get("max_position_embeddings")
    usable = places - _first_place(config) if isinstance(places, int) else None
    settings = _read(folder / "sentence_bert_config.json", dict[str, Any])
    if settings.get("do_lower_case"):
        raise UnknownModelError("it converts texts to lower case before tokenization")
    if isinstance(own := settings.get("max_seq_length"), int):
        return min(own, usable or own)
    tokenizer = _read(folder / "tokenizer_config.json", dict[str, Any]).get("model_max_length")
    named: Sequence[int] = [limit for limit in (tokenizer, usable) if isinstance(limit, int) and limit < _NO_LIMIT]
    if not named:
        raise UnknownModelError("its files name no length")
    return min(named)


def _read(file: Path, kind: type[_T]) -> _T:
    try:
        return msgspec.json.decode(file.read_bytes(), type=kind)
    except (OSError, msgspec.MsgspecError) as error:
        raise UnknownModelError(f"{file.name} is missing or damaged") from error


def stored_weights(file: Path) -> Weights:
    """Return the file's weights by name, without integer tensors.

    Raises:
        UnknownModelError: The file cannot be read.
    """
    from safetensors import SafetensorError, deserialize

    try:
        stored: list[tuple[str, dict[str, Any]]] = deserialize(file.read_bytes())  # type: ignore[no-untyped-call]
    except (OSError, SafetensorError) as error:
        raise UnknownModelError(f"{file.name} cannot be read") from error
    kinds = {*_KINDS, _UPPER_HALF}
    return {
        name: _as_float(part["dtype"], part["data"]).reshape(part["shape"])
        for name, part in stored
        if part["dtype"] in kinds
    }


def _as_float(kind: str, data: bytes) -> npt.NDArray[np.float32]:
    if kind == _UPPER_HALF:
        return (np.frombuffer(data, dtype="<u2").astype(np.uint32) << 16).view(np.float32)
    return np.frombuffer(data, dtype=_KINDS[kind]).astype(np.float32, copy=False)
