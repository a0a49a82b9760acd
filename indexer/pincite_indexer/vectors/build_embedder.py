"""Embed texts in a build: questions with the shipped encoder, passages with its faster form."""

from collections.abc import Sequence
from functools import cached_property

from pincite_core.embedders import Embedder, Encoded, Encoder, ModelInfo, OnnxEmbedder, Vectors
from pincite_core.types import Role
from pincite_indexer.vectors.onnx_graphs.quantised import faster_form

__all__ = ("BuildEmbedder",)


class BuildEmbedder:
    """Embedder of a build that loads each form of the encoder when it is first used.

    Args:
        encoder: The encoder that ships. An encoder from another place must have passed `require_usable`.
    """

    def __init__(self, encoder: Encoder) -> None:
        self.info: ModelInfo = encoder.info
        self._encoder = encoder

    def encode(self, texts: Sequence[str], role: Role = "passage") -> Vectors:
        """Return one unit vector for each text; the result does not depend on the other texts of the batch."""
        return self._of(role).encode(texts, role)

    def encode_with_tokens(self, texts: Sequence[str], role: Role = "passage") -> list[Encoded]:
        """Return the unit vector of each text and, if the encoder supports it, of each token."""
        return self._of(role).encode_with_tokens(texts, role)

    def pieces(self, text: str) -> list[str]:
        """Return a text's tokens as strings; unknown tokens keep the model's name for them."""
        return self._questions.pieces(text)

    def _of(self, role: Role) -> Embedder:
        return self._questions if role == "query" else self._passages

    @cached_property
    def _questions(self) -> OnnxEmbedder:
        return self._encoder.load()

    @cached_property
    def _passages(self) -> OnnxEmbedder:
        return OnnxEmbedder(faster_form(self._encoder.onnx), self._encoder.tokenizer, self._encoder.info)
