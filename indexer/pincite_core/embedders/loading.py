"""Finding and loading a model by name or folder."""

from pathlib import Path

from pincite_core.embedders.base import DEFAULT_MODEL, FAKE_MODEL, Embedder
from pincite_core.embedders.fake import FakeEmbedder
from pincite_core.embedders.model_files import canonical_name, model_folder, weights_sha256
from pincite_core.embedders.sentence_transformer import SentenceTransformerEmbedder, load_sentence_transformer
from pincite_core.errors import ModelNotFoundError

__all__ = ("load_embedder",)


def load_embedder(model: str = DEFAULT_MODEL) -> Embedder:
    """Load a model by hub name or folder; `fake` is the deterministic stand-in.

    Where no hub is reachable, the default model comes from the `[offline]` extra, whose weights are verified.

    Raises:
        ModelNotFoundError: It is neither on this machine nor reachable, or sentence-transformers is missing.
        ModelMismatchError: The offline package's weights are not the default model's.
    """
    if model == FAKE_MODEL:
        return FakeEmbedder()
    folder = model_folder(model)
    return _load_from_hub(model) if folder is None else _load(folder, canonical_name(model))


def _load(folder: Path, name: str) -> Embedder:
    try:
        loaded = load_sentence_transformer(str(folder))
    except (OSError, ValueError, KeyError) as error:
        message = (
            f"The folder {folder} holds no embedding model that can be loaded ({_first_line(error)}). "
            "Pass --model a folder that sentence-transformers saved, or a hub name."
        )
        raise ModelNotFoundError(message) from error
    return SentenceTransformerEmbedder(loaded, name, weights_sha256(folder))


def _first_line(error: Exception) -> str:
    return next(iter(str(error).splitlines()), type(error).__name__).rstrip(".")


def _load_from_hub(model: str) -> Embedder:
    name = canonical_name(model)
    try:
        loaded = load_sentence_transformer(model)
    except (OSError, ValueError) as error:
        extra = " or install the extra `pincite[offline]`, which carries it" if name == DEFAULT_MODEL else ""
        message = (
            f"The embedding model {model!r} is neither on this machine nor reachable from it. "
            f"Pass a folder that holds it with --model{extra}."
        )
        raise ModelNotFoundError(message) from error
    return SentenceTransformerEmbedder(loaded, name, weights_sha256(model_folder(model) or Path(model)))
