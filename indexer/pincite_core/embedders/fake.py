"""Provide a deterministic fake embedder for tests."""

import hashlib
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from pincite_core.embedders.base import FAKE_MODEL, Encoded, ModelInfo, Vectors
from pincite_core.search.late_interaction import project_tokens
from pincite_core.search.terms import content_terms, terms
from pincite_core.types import Role

__all__ = ("FakeEmbedder",)

_FAKE_DIMENSION = 64  # large enough that unrelated words rarely collide, small enough to read in a test


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
