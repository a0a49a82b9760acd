"""Run a sentence-transformers model with torch."""

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

from pincite_core.embedders.base import NO_GIVEN, Encoded, GivenPrompts, ModelInfo, Vectors, select_prompts
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
"""Model types that reserve their first position embeddings for padding, so they accept fewer tokens than positions."""

_BATCH = 8  # batches of 8, sorted by length, beat 32 on a CPU and halve the memory
_LENGTH_WITHOUT_LIMIT = 256  # tokens; more than a chunk has


class SentenceTransformerEmbedder:
    """Embedder that runs a loaded sentence-transformers model on the CPU. The index records its `name`."""

    def __init__(self, model: Any, name: str, weights_sha256: str, given: GivenPrompts = NO_GIVEN) -> None:
        self.model = model
        own = select_prompts(model.prompts, model.default_prompt_name, name)
        self.info = ModelInfo(
            name, weights_sha256, int(model.get_embedding_dimension()), _limited(model), prompts=given.over(own)
        )

    def encode(self, texts: Sequence[str], role: Role = "passage", batch_size: int = _BATCH) -> Vectors:
        """Return one unit vector per text, shape (len(texts), dimension)."""
        if not texts:
            return np.zeros((0, self.info.dimension), dtype=np.float32)
        encode = self.model.encode_query if role == "query" else self.model.encode_document
        vectors = encode(
            list(texts),
            prompt=self.info.prompts.before(role),  # passed even if empty, or the model would add its default prompt
            batch_size=batch_size,
            normalize_embeddings=True,
            show_progress_bar=False,
        )
        return np.asarray(vectors, dtype=np.float32)

    def encode_with_tokens(self, texts: Sequence[str], role: Role = "passage") -> list[Encoded]:
        """Return one unit vector per text. Only exported encoders return token vectors."""
        return [Encoded(vector) for vector in self.encode(texts, role)]

    def pieces(self, text: str) -> list[str]:
        """Return the word pieces of a text, or its words if the tokenizer cannot convert ids to tokens."""
        tokenizer = self.model.tokenizer
        if not hasattr(tokenizer, "convert_ids_to_tokens"):
            return text.split()
        ids = tokenizer.encode(text, add_special_tokens=False)
        return list(map(str, tokenizer.convert_ids_to_tokens(ids)))


def _limited(model: Any) -> int:
    """Set a model's maximum sequence length to its usable position embeddings, and return this length in tokens.

    Static embedding models have no limit or an infinite limit, so a limit above the length of a chunk is used for them.
    RoBERTa's usable positions start after its padding index.
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
    except ValueError:  # the entry in `sys.modules` is not a real module
        return False


def load_sentence_transformer(place: str) -> Any:
    """Load a sentence-transformers model by folder or hub name, without progress bars and warnings.

    Raises:
        ModelNotFoundError: sentence-transformers is not installed.
        OSError, ValueError, KeyError: The model does not exist, or its files cannot be used.
    """
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError as error:
        message = (
            f"The model {place} needs sentence-transformers: pip install 'pincite[index,torch]'. "
            "A build with --previous does not need it if the earlier index has its encoder."
        )
        raise ModelNotFoundError(message) from error
    with quiet_libraries():
        return SentenceTransformer(place, device="cpu")


@contextmanager
def quiet_libraries() -> Iterator[None]:
    """Suppress progress bars, warnings and log lines of libraries on standard error."""
    transformers = sys.modules.get("transformers.utils.logging")  # only if imported: the import takes two seconds
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
