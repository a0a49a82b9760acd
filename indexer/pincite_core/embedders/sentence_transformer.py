"""A sentence-transformers model, run by torch."""

import logging
import math
import os
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from pincite_core.embedders.base import Encoded, ModelInfo, Vectors
from pincite_core.errors import ModelNotFoundError

__all__ = ("SentenceTransformerEmbedder", "load_sentence_transformer", "quiet_libraries")

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


def _length(model: Any) -> int:
    """Return how many tokens a model reads; models that look words up in a table have no limit or an infinite one."""
    length = model.max_seq_length
    return int(length) if length and math.isfinite(length) else _LENGTH_WITHOUT_LIMIT


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
            "Embedding by a model's name needs sentence-transformers: pip install 'pincite[index]'. "
            "A build with --previous does without, when the earlier index has its encoder."
        )
        raise ModelNotFoundError(message) from error
    with quiet_libraries():
        return SentenceTransformer(place, device="cpu")


@contextmanager
def quiet_libraries() -> Iterator[None]:
    """Keep standard error for what the user must know: no progress bars, warnings or log lines of libraries."""
    from transformers.utils import logging as transformers_logging

    had_bars = transformers_logging.is_progress_bar_enabled()
    disabled_before = logging.root.manager.disable
    transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    logging.disable(logging.WARNING)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(disabled_before)
        if had_bars:
            transformers_logging.enable_progress_bar()  # type: ignore[no-untyped-call]
