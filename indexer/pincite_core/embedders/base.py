"""Define the interface of embedders, their identity and their prompts, and a fake embedder for tests.

An embedder turns texts into unit vectors. Prompts are the prefixes of queries and passages. They come from the user,
the model's files, or a list of known model families. They are selected by name as in sentence-transformers
(`encode_query`, `encode_document`), with one difference. sentence-transformers adds an empty `document` prompt by
default, and this prompt does not override a non-empty `passage` prompt of the model.
"""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import msgspec
import numpy as np
import numpy.typing as npt

from pincite_core.search.late_interaction import TokenVectors, project_tokens
from pincite_core.search.terms import content_terms, terms
from pincite_core.types import NO_PROMPTS, Prompts, Role

__all__ = (
    "DEFAULT_MODEL",
    "FAKE_MODEL",
    "NO_GIVEN",
    "Embedder",
    "Encode",
    "Encoded",
    "FakeEmbedder",
    "GivenPrompts",
    "ModelInfo",
    "Vectors",
    "folder_prompts",
    "select_prompts",
)

DEFAULT_MODEL = "sentence-transformers/all-MiniLM-L6-v2"
FAKE_MODEL = "fake"
_FAKE_DIMENSION = 64  # large enough that unrelated words rarely collide, small enough to read in a test
_SETTINGS = "config_sentence_transformers.json"
_OF_PASSAGES = ("document", "passage", "corpus")
_E5 = re.compile(r"(?:multilingual-)?e5-(?:small|base|large)(?:-v2|-unsupervised)?")
"""Names of models that were trained with prompts but have none in their files. Only their model cards list them."""

Vectors = npt.NDArray[np.float32]
"""Unit vectors: float32, shape (texts, dimension)."""


class Encoded(NamedTuple):
    """The embedding of one text: its unit vector, shape (dimension,), and the vectors of its content tokens.

    Special tokens, punctuation and stop words have no vector. `tokens` is None if the model has no token vectors.
    """

    vector: npt.NDArray[np.float32]
    tokens: TokenVectors | None = None


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


class FakeEmbedder:
    """Deterministic fake embedder for tests. A text's vector is the sum of the fixed random vectors of its terms.

    Texts with common words are close, and texts without common words are not. Nothing is trained or downloaded.
    """

    info = ModelInfo(FAKE_MODEL, "0" * 64, _FAKE_DIMENSION, 256)

    def encode(self, texts: Sequence[str], role: Role = "passage") -> Vectors:
        """Return one unit vector per text. A text without words gets the first unit vector of the basis."""
        out = np.zeros((len(texts), _FAKE_DIMENSION), dtype=np.float32)
        for row, text in enumerate(texts):
            for term in terms(text):
                out[row] += self._term_vector(term)
            if not out[row].any():
                out[row, 0] = 1.0
        scaled: Vectors = out / np.linalg.norm(out, axis=1, keepdims=True)
        return scaled

    def encode_with_tokens(self, texts: Sequence[str], role: Role = "passage") -> list[Encoded]:
        """Return one unit vector per text and one per content term."""
        return [
            Encoded(vector, project_tokens(self.token_states(text)))
            for text, vector in zip(texts, self.encode(texts, role), strict=True)
        ]

    def pieces(self, text: str) -> list[str]:
        """Return the words of a text. Every word is in the vocabulary."""
        return text.split()

    def token_states(self, text: str) -> npt.NDArray[np.float32]:
        """Return the token states of a text before their projection: shape (content terms, dimension)."""
        rows = [self._term_vector(term) for term in content_terms(text)] or [np.ones(_FAKE_DIMENSION, dtype=np.float32)]
        return np.stack(rows)

    @staticmethod
    def _term_vector(term: str) -> npt.NDArray[np.float32]:
        seed = int.from_bytes(hashlib.sha256(term.encode()).digest()[:8], "little")
        return np.random.default_rng(seed).standard_normal(_FAKE_DIMENSION).astype(np.float32)


@dataclass(frozen=True, slots=True)
class GivenPrompts:
    """Prompts from the user, which override the model's own prompts. None keeps the model's prompt."""

    query: str | None = None
    passage: str | None = None

    def over(self, own: Prompts) -> Prompts:
        """Return the model's prompts with the user's prompts applied."""
        query = own.query if self.query is None else self.query
        passage = own.passage if self.passage is None else self.passage
        return Prompts(query, passage)


NO_GIVEN = GivenPrompts()


def folder_prompts(folder: Path, name: str) -> Prompts:
    """Return the prompts of the model in a folder. Unreadable settings are treated as empty."""
    try:
        settings = msgspec.json.decode((folder / _SETTINGS).read_bytes(), type=dict[str, Any])
    except (OSError, msgspec.MsgspecError):
        settings = {}
    named = settings.get("prompts")
    return select_prompts(named if isinstance(named, dict) else {}, settings.get("default_prompt_name"), name)


def select_prompts(named: Mapping[str, object], default: object, name: str) -> Prompts:
    """Select the query and passage prompts from the named prompts of a model.

    Models with several tasks have about a dozen prompts. `default` is the name of the default prompt, or None. `name`
    is the name of the model.
    """
    texts_by_name = {key: text for key, text in named.items() if isinstance(text, str)}
    passage = next((texts_by_name[key] for key in _OF_PASSAGES if texts_by_name.get(key)), "")
    query = texts_by_name.get("query", "")
    if not texts_by_name.keys() & {"query", *_OF_PASSAGES}:
        query = passage = texts_by_name.get(str(default), "")
    if not any(texts_by_name.values()) and _E5.fullmatch(name.rpartition("/")[2]):
        return Prompts("query: ", "passage: ")
    return Prompts(query, passage)
