"""Download from the Hugging Face hub only the files of a model that its encoder needs."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pincite_core.embedders.base import DEFAULT_MODEL
from pincite_core.embedders.loading import OFFLINE_INSTALL, canonical_name
from pincite_core.embedders.sentence_transformer import quiet_libraries
from pincite_core.errors import ModelNotFoundError
from pincite_indexer.vectors.onnx_graphs.bert import describes_bert
from pincite_indexer.vectors.onnx_graphs.model_files import (
    PUBLISHED_NAME,
    WEIGHTS_NAME,
    UnknownModelError,
    read_model_files,
)

__all__ = ("cached", "download")

_SETTINGS = "*.json"  # the tokenizer and the configuration; less than a megabyte


def cached(model: str) -> Path | None:
    """Return the local folder of a model's downloaded files; None if a file is missing."""
    try:
        return _complete(model, here=True)
    except Exception:  # the client or the system raised it: the files are not local
        return None


def download(model: str) -> Path | None:
    """Download a model's files and return their folder; None if the published files cannot form an encoder.

    Raises:
        ModelNotFoundError: The hub cannot be reached, or has no such model.
    """
    try:
        return _complete(model, here=False)
    except Exception as error:  # raised by the client, its HTTP library or the system
        reason = next(iter(str(error).strip().splitlines()), type(error).__name__).rstrip(".")
        extra = f" or {OFFLINE_INSTALL}, which brings it" if canonical_name(model) == DEFAULT_MODEL else ""
        message = (
            f"The embedding model {model!r} is neither on this machine nor reachable from it ({reason}). "
            f"Pass a folder that holds it with --model, or an index that has its encoder with --previous{extra}."
        )
        raise ModelNotFoundError(message) from error


def _complete(model: str, *, here: bool) -> Path | None:
    with _quiet_hub():
        folder = _snapshot(model, here, _SETTINGS)
        try:
            files = read_model_files(folder)
        except UnknownModelError:
            return None
        layers = [(layer.folder / WEIGHTS_NAME).relative_to(folder).as_posix() for layer in files.dense]
        for name in (WEIGHTS_NAME, PUBLISHED_NAME) if describes_bert(files) else (PUBLISHED_NAME,):
            file = (files.folder / name).relative_to(folder)
            if (_snapshot(model, here, _SETTINGS, file.as_posix(), *layers) / file).is_file():
                return folder
    return None


def _snapshot(model: str, here: bool, *patterns: str) -> Path:
    from huggingface_hub import snapshot_download

    return Path(snapshot_download(canonical_name(model), allow_patterns=list(patterns), local_files_only=here))


@contextmanager
def _quiet_hub() -> Iterator[None]:
    """Suppress the hub client's output and telemetry."""
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    from huggingface_hub.utils.tqdm import are_progress_bars_disabled, disable_progress_bars, enable_progress_bars

    had_bars = not are_progress_bars_disabled()
    disable_progress_bars()
    try:
        with quiet_libraries():
            yield
    finally:
        if had_bars:
            enable_progress_bars()
