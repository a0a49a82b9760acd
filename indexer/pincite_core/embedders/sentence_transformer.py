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
from pincite_core.embedders.prompts import NO_GIVEN, GivenPrompts, prompts_among
from pincite_core.errors import ModelNotFoundError
from pincite_core.types import Role

__all__ = (
    "FIRST_PLACE_BEHIND_PADDING",
    "SentenceTransformerEmbedder",
    "has_sentence_transformers",
    "load_sentence_transformer",
    "quiet_libraries",
)

FIRST_PLACE_BEHIND_PADDING = frozenset({"roberta", "xlm-roberta"})
"""Types of models whose files count more places for tokens than can be used: the first few are never given out."""

_BATCH = 8  # batches of 8, sorted by length, beat 32 on a CPU and halve the memory
_LENGTH_WITHOUT_LIMIT = 256  # more than a chunk has


class SentenceTransformerEmbedder:
    """A sentence-transformers model on the CPU.

    Args:
        model: The model, loaded.
        name: What the index calls it.
        weights_sha256: The digest of its weights.
        given: What goes before texts instead of what the model itself says.
    """

    def __init__(self, model: Any, name: str, weights_sha256: str, given: GivenPrompts = NO_GIVEN) -> None:
        self.model = model
        own = prompts_among(model.prompts, model.default_prompt_name, name)
        self.info = ModelInfo(
            name, weights_sha256, int(model.get_embedding_dimension()), _limited(model), prompts=given.over(own)
        )

    def encode(self, texts: Sequence[str], role: Role = "passage", batch_size: int = _BATCH) -> Vectors:
        """Return one unit vector a text."""
        if not texts:
            return np.zeros((0, self.info.dimension), dtype=np.float32)
        encode = self.model.encode_query if role == "query" else self.model.encode_document
        vectors = encode(
            list(texts),
            prompt=self.info.prompts.before(role),  # an empty one as well, or the model's default would go before it
            batch_size=batch_size,
            normalize_embeddings=True,
            show_progress_bar=False,
        )
        return np.asarray(vectors, dtype=np.float32)

    def encode_with_tokens(self, texts: Sequence[str], role: Role = "passage") -> list[Encoded]:
        """Return one unit vector a text; vectors of tokens come from exported encoders alone."""
        return [Encoded(vector) for vector in self.encode(texts, role)]

    def pieces(self, text: str) -> list[str]:
        """Return the pieces that the model reads of a text; its words for a model whose tokenizer cannot tell."""
        tokenizer = self.model.tokenizer
        if not hasattr(tokenizer, "convert_ids_to_tokens"):
            return text.split()
        ids = tokenizer.encode(text, add_special_tokens=False)
        return list(map(str, tokenizer.convert_ids_to_tokens(ids)))


def _limited(model: Any) -> int:
    """Have a model read no more tokens than it has places for, and return how many; without a limit a chunk's.

    Models that look words up in a table have no limit, or an infinite one. RoBERTa's places begin behind its padding.
    """
    length = model.max_seq_length
    if not length or not math.isfinite(length):
        return _LENGTH_WITHOUT_LIMIT
    config: Any = getattr(getattr(model[0], "model", None), "config", None)
    if config is not None and config.model_type in FIRST_PLACE_BEHIND_PADDING:
        model.max_seq_length = length = min(length, config.max_position_embeddings - config.pad_token_id - 1)
    return int(length)


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
