"""An encoder that encodes no text twice: several rules are measured on the same passages."""

from collections.abc import Sequence

import numpy as np

from pincite_core.embedders import Embedder, Vectors

__all__ = ("RememberingEncoder",)


class RememberingEncoder:
    """Encodes as `embedder` does; every text is encoded alone, so that its vector does not depend on its company."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._known: dict[str, Vectors] = {}

    def __call__(self, texts: Sequence[str]) -> Vectors:
        for text in texts:
            if text not in self._known:
                self._known[text] = self._embedder.encode([text])[0]
        return np.stack([self._known[text] for text in texts])
