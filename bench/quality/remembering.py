"""An encoder that caches the vectors of each text, because several rules are measured on the same passages."""

from collections.abc import Sequence

import numpy as np

from pincite_core.embedders import Embedder, Encoded, Vectors
from pincite_core.types import Role

__all__ = ("RememberingEncoder",)


class RememberingEncoder:
    """A cache around `embedder`; it encodes every text alone, so that no vector depends on a batch."""

    def __init__(self, embedder: Embedder) -> None:
        self.info = embedder.info
        self._embedder = embedder
        self._encoded: dict[str, Encoded] = {}
        self._known: dict[tuple[str, Role], Vectors] = {}

    def __call__(self, texts: Sequence[str], role: Role = "passage") -> Vectors:
        for text in texts:
            if (text, role) not in self._known:
                self._known[text, role] = self._embedder.encode([text], role)[0]
        return np.stack([self._known[text, role] for text in texts])

    def encode_with_tokens(self, texts: Sequence[str]) -> list[Encoded]:
        """Return the vectors of passages and of their tokens."""
        new = [text for text in dict.fromkeys(texts) if text not in self._encoded]
        self._encoded |= zip(new, self._embedder.encode_with_tokens(new), strict=True)
        return [self._encoded[text] for text in texts]
