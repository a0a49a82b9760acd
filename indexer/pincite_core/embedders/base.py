"""Define the interface of embedders: an identity and a function from texts to unit vectors."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from pincite_core.search.late_interaction import TokenVectors
from pincite_core.types import NO_PROMPTS, Prompts, Role

__all__ = ("DEFAULT_MODEL", "FAKE_MODEL", "Embedder", "Encode", "Encoded", "ModelInfo", "Vectors")

Vectors = npt.NDArray[np.float32]
"""Unit vectors: float32, shape (texts, dimension)."""


class Encoded(NamedTuple):
    """The embedding of one text.

    Attributes:
        vector: The unit vector of the text, shape (dimension,).
        tokens: The vectors of the content tokens, without special tokens, punctuation and stop words. None if the model
            has no token vectors.
    """

    vector: npt.NDArray[np.float32]
    tokens: TokenVectors | None = None


DEFAULT_MODEL = "sentence-transformers/all-MiniLM-L6-v2"
FAKE_MODEL = "fake"


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """Identity of an embedding model. The index records it, and the server checks it.

    `encoder` is the SHA-256 of the exported encoder, or empty if the model itself made the vectors. The vectors of
    encoder and model are very close, but not equal in every bit.
    """

    name: str
    weights_sha256: str
    dimension: int
    max_tokens: int
    encoder: str = ""
    prompts: Prompts = NO_PROMPTS

    @property
    def vectors_key(self) -> str:
        """The key for cached vectors. Embedders with the same key return the same vector for a text."""
        key = f"{self.weights_sha256}/{self.encoder or 'model'}/{self.max_tokens}"
        return f"{key}/{self.prompts.query!r}/{self.prompts.passage!r}" if self.prompts else key


class Encode(Protocol):
    """Type of the method `Embedder.encode`."""

    def __call__(self, texts: Sequence[str], role: Role = "passage") -> Vectors:
        """Return one unit vector per text."""
        ...


class Embedder(Protocol):
    """Interface of an embedder, which turns texts into unit vectors."""

    @property
    def info(self) -> ModelInfo:
        """The identity of the model."""
        ...

    def encode(self, texts: Sequence[str], role: Role = "passage") -> Vectors:
        """Return one unit vector per text, in order: float32, shape (len(texts), dimension).

        The model's prompt for the role is put before each text. The prompt counts towards the maximum number of tokens.
        """
        ...

    def encode_with_tokens(self, texts: Sequence[str], role: Role = "passage") -> list[Encoded]:
        """Return the unit vectors of each text and of its tokens, in order. Tokens of the prompt are left out."""
        ...

    def pieces(self, text: str) -> list[str]:
        """Return the word pieces into which the model's tokenizer splits a text, without special tokens."""
        ...
