"""What every embedder is: an identity, and a function from texts to unit vectors."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from pincite_core.search.late_interaction import TokenVectors
from pincite_core.types import NO_PROMPTS, Prompts, Role

__all__ = ("DEFAULT_MODEL", "FAKE_MODEL", "Embedder", "Encode", "Encoded", "ModelInfo", "Vectors")

Vectors = npt.NDArray[np.float32]
"""Shape (texts, dimension); every row has length 1."""


class Encoded(NamedTuple):
    """What a model makes of one text: its unit vector, shape (dimension,), and its content tokens'.

    `tokens` is None when the model has no vectors of tokens. Marks and stop words are left out of them.
    """

    vector: npt.NDArray[np.float32]
    tokens: TokenVectors | None = None


DEFAULT_MODEL = "sentence-transformers/all-MiniLM-L6-v2"
FAKE_MODEL = "fake"


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """What identifies the maker of vectors: recorded in the index and checked by the server.

    `encoder` is the SHA-256 of the exported encoder that ran, empty when the model itself did: the two agree closely,
    but not to the last bit.
    """

    name: str
    weights_sha256: str
    dimension: int
    max_tokens: int
    encoder: str = ""
    prompts: Prompts = NO_PROMPTS

    @property
    def vectors_key(self) -> str:
        """The name under which vectors are kept: embedders with the same key give a text the same vector."""
        key = f"{self.weights_sha256}/{self.encoder or 'model'}/{self.max_tokens}"
        return f"{key}/{self.prompts.query!r}/{self.prompts.passage!r}" if self.prompts else key


class Encode(Protocol):
    """What `Embedder.encode` is."""

    def __call__(self, texts: Sequence[str], role: Role = "passage") -> Vectors:
        """Return one unit vector a text."""
        ...


class Embedder(Protocol):
    """Anything that turns texts into unit vectors."""

    @property
    def info(self) -> ModelInfo:
        """The model's identity."""
        ...

    def encode(self, texts: Sequence[str], role: Role = "passage") -> Vectors:
        """Return one unit vector a text, in order: float32, shape (len(texts), dimension).

        The model's prompt for the role goes before each text, and counts towards what the model reads of it.
        """
        ...

    def encode_with_tokens(self, texts: Sequence[str], role: Role = "passage") -> list[Encoded]:
        """Return the unit vectors of each text and of its own tokens, without the prompt's, in order."""
        ...

    def pieces(self, text: str) -> list[str]:
        """Return the pieces of its vocabulary that the model reads a text as, without its own marks."""
        ...
