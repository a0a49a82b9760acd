"""Download the original model of an encoder, and run it from its files if possible, otherwise with torch.

From the Hugging Face hub, only the files that an encoder needs are downloaded.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from pincite_core.embedders import DEFAULT_MODEL, Encoder, SentenceTransformerEmbedder, Vectors, load_embedder
from pincite_core.embedders.base import NO_GIVEN, GivenPrompts, folder_prompts
from pincite_core.embedders.loading import OFFLINE_INSTALL, canonical_name, model_folder
from pincite_core.embedders.sentence_transformer import has_sentence_transformers, quiet_libraries
from pincite_core.errors import ModelNotFoundError
from pincite_core.types import Prompts
from pincite_indexer.vectors.encoder_export import export_encoder, export_files, float_embedder
from pincite_indexer.vectors.onnx_graphs.backbones import describes_bert
from pincite_indexer.vectors.onnx_graphs.model_files import (
    PUBLISHED_NAME,
    WEIGHTS_NAME,
    UnknownModelError,
    read_model_files,
)

__all__ = ("Original", "cached", "fetched")

_SETTINGS = "*.json"  # the tokenizer and the configuration; less than a megabyte
_NO_TORCH = (
    "{name} needs sentence-transformers ({why}): pip install 'pincite[index,torch]'. "
    "A build with --previous does not need it if the earlier index has its encoder."
)


def cached(model: str) -> Path | None:
    """Return the local folder of a model's downloaded files; None if a file is missing."""
    try:
        return _snapshot(model, is_local=True)
    except Exception:  # the client or the system raised it: the files are not local
        return None


def fetched(model: str) -> Path | None:
    """Download a model's files and return their folder.

    Return None if the published files cannot form an encoder, or if sentence-transformers must locate the files.

    Raises:
        ModelNotFoundError: The hub cannot be reached or has no such model, and sentence-transformers is not installed.
    """
    try:
        return _snapshot(model, is_local=False)
    except Exception as error:  # raised by the client, its HTTP library or the system
        if has_sentence_transformers():  # it reports the error, or finds files that other programs downloaded
            return None
        reason = next(iter(str(error).strip().splitlines()), type(error).__name__).rstrip(".")
        extra = f" or {OFFLINE_INSTALL}, which installs it" if canonical_name(model) == DEFAULT_MODEL else ""
        message = (
            f"The embedding model {model!r} is neither on this machine nor reachable from it ({reason}). "
            f"Pass a folder that holds it with --model, or an index that has its encoder with --previous{extra}."
        )
        raise ModelNotFoundError(message) from error


def _snapshot(model: str, *, is_local: bool) -> Path | None:
    """Return the folder of a model's files on this machine or after a download; None if they form no encoder."""
    with _quiet_hub():
        from huggingface_hub import snapshot_download

        snapshot = partial(snapshot_download, canonical_name(model), local_files_only=is_local)
        folder = Path(snapshot(allow_patterns=[_SETTINGS]))
        try:
            files = read_model_files(folder)
        except UnknownModelError:
            return None
        layers = [(layer.folder / WEIGHTS_NAME).relative_to(folder).as_posix() for layer in files.dense]
        for name in (WEIGHTS_NAME, PUBLISHED_NAME) if describes_bert(files) else (PUBLISHED_NAME,):
            file = (files.folder / name).relative_to(folder)
            if (Path(snapshot(allow_patterns=[_SETTINGS, file.as_posix(), *layers])) / file).is_file():
                return folder
    return None


@contextmanager
def _quiet_hub() -> Iterator[None]:
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


class Original:
    """Published model, by name or folder. `folder` is None if only sentence-transformers can locate its files."""

    def __init__(self, model: str, folder: Path | None, given: GivenPrompts = NO_GIVEN) -> None:
        self.name = canonical_name(model)
        self._model = model
        self._folder = folder
        self._given = given
        self._by_torch: SentenceTransformerEmbedder | None = None

    @property
    def folder(self) -> Path | None:
        """The folder of the files; sentence-transformers locates it if it is unknown."""
        if self._folder is None:
            self.run_by_torch("its files cannot be found without")
            self._folder = model_folder(self._model)
        return self._folder

    @property
    def prompts(self) -> Prompts:
        """The prefixes of questions and passages."""
        if self._by_torch is not None:
            return self._by_torch.info.prompts
        return self._given.over(folder_prompts(self._known_folder(), self.name))

    def export(self) -> Encoder:
        """Return the model's encoder, built from its files, or by torch's exporter if the files are not enough.

        Raises:
            EncoderExportError: Torch's exporter fails as well.
        """
        try:
            return export_files(self._known_folder(), self.name, self._given)
        except UnknownModelError as error:
            return export_encoder(self.run_by_torch(str(error)))

    def encode(self, texts: list[str]) -> Vectors:
        """Return the original model's unit vectors, with each text computed separately."""
        try:
            return float_embedder(self._known_folder(), self.name, self._given).encode(texts)
        except UnknownModelError as error:
            return self.run_by_torch(str(error)).encode(texts, batch_size=1)

    def run_by_torch(self, why: str) -> SentenceTransformerEmbedder:
        """Return the model in sentence-transformers; the clause `why` states why the files are not enough.

        Raises:
            ModelNotFoundError: sentence-transformers is not installed, or cannot find the model.
        """
        if self._by_torch is None:
            if not has_sentence_transformers():
                raise ModelNotFoundError(_NO_TORCH.format(name=self.name, why=why))
            embedder = load_embedder(self._model, self._given)
            assert isinstance(embedder, SentenceTransformerEmbedder)  # `choose_encoder` handles the fake model
            self._by_torch = embedder
        return self._by_torch

    def _known_folder(self) -> Path:
        if self.folder is None:
            raise UnknownModelError("its files are in no folder")
        return self.folder
