"""A sentence-transformers model, run by torch."""

import importlib.util
import logging
import math
import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from pincite_core.embedders.base import Encoded, ModelInfo, Vectors
from pincite_core.errors import ModelNotFoundError

__all__ = ("SentenceTransformerEmbedder", "has_sentence_transformers", "load_sentence_transformer", "quiet_libraries")

_BATCH = 8  # batches of 8, sorted by length, beat 32 on a CPU and halve the memory
_LENGTH_WITHOUT_LIMIT = 256  # more than a chunk has


class SentenceTransformerEmbedder:
    """A sentence-transformers model on the CPU."""

    def __init__(self, model: Any, name: str, weights_sha256: str) -> None:
        self.model = model
        self.info = ModelInfo(
            name,
            weights_sha256,
            int(model.get_embedding_dimension()),
            _length(model),
        )

    def encode(self, texts: Sequence[str], batch_size: int = _BATCH) -> Vectors:
        """Return one unit vector a text."""
        if not texts:
            return np.zeros((0, self.info.dimension), dtype=np.float32)
        vectors = self.model.encode(
            list(texts), batch_size=batch_size, normalize_embeddings=True, show_progress_bar=False
        )
        return np.asarray(vectors, dtype=np.float32)

    def encode_with_tokens(self, texts: Sequence[str]) -> list[Encoded]:
        """Return one unit vector a text; vectors of tokens come from exported encoders alone."""
        return [Encoded(vector) for vector in self.encode(texts)]

    def pieces(self, text: str) -> list[str]:
        """Return the pieces that the model reads of a text; its words for a model whose tokenizer cannot tell."""
        tokenize = getattr(self.model.tokenizer, "tokenize", str.split)
        return list(map(str, tokenize(text)))


def _length(model: Any) -> int:
    """Return how many tokens a model reads; models that look words up in a table have no limit or an infinite one."""
    length = model.max_seq_length
    return int(length) if length and math.isfinite(length) else _LENGTH_WITHOUT_LIMIT


def has_sentence_transformers() -> bool:
    """Return whether sentence-transformers is installed."""
    try:
        return importlib.util.find_spec("sentence_transformers") is not None
    except ValueError:  # what stands in its place is no module
        return False


def load_sentence_transformer(place: str) -> Any:
    """Load a model by folder or hub name, without its libraries' progress bars and advice.

    Raises:
        ModelNotFoundError: sentence-transformers is not installed.
        OSError, ValueError, KeyError: There is no such model, or its files cannot be used.
    """
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError as error:
        message = (
            f"The model {place} itself can be run by sentence-transformers alone: pip install 'pincite[index,torch]'. "
            "A build with --previous does without, when the earlier index has its encoder."
        )
        raise ModelNotFoundError(message) from error
    with quiet_libraries():
        return SentenceTransformer(place, device="cpu")


@contextmanager
def quiet_libraries() -> Iterator[None]:
    """Keep standard error for what the user must know: no progress bars, warnings or log lines of libraries."""
    transformers = sys.modules.get("transformers.utils.logging")  # only if it is loaded: it needs two seconds for that
    had_bars = transformers is not None and transformers.is_progress_bar_enabled()
    disabled_before = logging.root.manager.disable
    if transformers is not None:
        transformers.disable_progress_bar()
    logging.disable(logging.WARNING)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(disabled_before)
        if transformers is not None and had_bars:
            transformers.enable_progress_bar()
