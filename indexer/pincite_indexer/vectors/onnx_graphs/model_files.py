"""What the files of a sentence-transformers model say of it, read without sentence-transformers.

Only what is certain counts: anything unknown is left to sentence-transformers, which reads all that it ever wrote.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from pincite_core.errors import ModelError

__all__ = ("PUBLISHED_NAME", "WEIGHTS_NAME", "ModelFiles", "UnknownModelError", "read_model_files")

WEIGHTS_NAME = "model.safetensors"
PUBLISHED_NAME = "onnx/model.onnx"
_POOLINGS = ("cls", "mean")
_LEGACY = {"pooling_mode_cls_token": "cls", "pooling_mode_mean_tokens": "mean"}
"""Until sentence-transformers 5 each way of pooling was a flag; any other one makes the model an unknown one."""
_T = TypeVar("_T")
_NO_LIMIT = 1 << 20  # tokens: tokenizers write 10^30 for a model that has no limit of its own


class UnknownModelError(ModelError):
    """The files do not say all that a graph is made of; the message is a clause that says what is missing."""


@dataclass(frozen=True, slots=True)
class ModelFiles:
    """A model of a transformer, one way of pooling and no layer after it.

    Attributes:
        folder: The transformer's files.
        config: Its `config.json`.
        pooling: `mean` or `cls`.
        dimension: The length of its vectors.
        max_tokens: How many tokens it reads of a text.
    """

    folder: Path
    config: Mapping[str, Any]
    pooling: str
    dimension: int
    max_tokens: int


def read_model_files(model: Path) -> ModelFiles:
    """Return what the files in a model's folder say.

    Raises:
        UnknownModelError: A file is missing or damaged, or the model has a part that is none of the known ones.
    """
    modules = _read(model / "modules.json", list[dict[str, Any]])
    kinds = [str(module.get("type", "")).rpartition(".")[2] for module in modules]
    if kinds not in (["Transformer", "Pooling"], ["Transformer", "Pooling", "Normalize"]):
        raise UnknownModelError(f"its parts are {', '.join(kinds) or 'not named'}")
    _require_no_prompt(model)
    folder, pooling = (model / str(module.get("path", "")) for module in modules[:2])
    config = _read(folder / "config.json", dict[str, Any])
    if not isinstance(hidden := config.get("hidden_size"), int):
        raise UnknownModelError("config.json names no hidden_size")
    return ModelFiles(folder, config, _pooling(_read(pooling / "config.json", dict[str, Any])), hidden, _length(folder))


def _require_no_prompt(model: Path) -> None:
    settings = model / "config_sentence_transformers.json"
    if settings.is_file() and _read(settings, dict[str, Any]).get("default_prompt_name"):
        raise UnknownModelError("it puts a prompt before every text")


def _pooling(config: Mapping[str, Any]) -> str:
    flags = [name for name, value in config.items() if name.startswith("pooling_mode_") and value is True]
    mode = config.get("pooling_mode") or "+".join(_LEGACY.get(name, name) for name in flags)
    if mode not in _POOLINGS:
        raise UnknownModelError(f"its pooling is {mode or 'not named'}")
    return str(mode)


def _length(folder: Path) -> int:
    """Return the model's length in tokens, as sentence-transformers finds it: the least of what its files name."""
    settings = _read(folder / "sentence_bert_config.json", dict[str, Any])
    if settings.get("do_lower_case"):
        raise UnknownModelError("it lowers texts before its tokenizer does")
    if isinstance(own := settings.get("max_seq_length"), int):
        return own
    tokenizer = _read(folder / "tokenizer_config.json", dict[str, Any]).get("model_max_length")
    places = _read(folder / "config.json", dict[str, Any]).get("max_position_embeddings")
    named: Sequence[int] = [limit for limit in (tokenizer, places) if isinstance(limit, int) and limit < _NO_LIMIT]
    if not named:
        raise UnknownModelError("its files name no length")
    return min(named)


def _read(file: Path, kind: type[_T]) -> _T:
    try:
        return msgspec.json.decode(file.read_bytes(), type=kind)
    except (OSError, msgspec.MsgspecError) as error:
        raise UnknownModelError(f"{file.name} is missing or damaged") from error
