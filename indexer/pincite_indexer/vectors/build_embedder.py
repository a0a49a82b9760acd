"""What embeds in a build: questions by the encoder as it ships, passages by its faster form."""

from collections.abc import Sequence
from functools import cached_property

from pincite_core.embedders import Embedder, Encoded, Encoder, ModelInfo, OnnxEmbedder, Vectors
from pincite_core.types import Role
from pincite_indexer.vectors.onnx_graphs.quantised import faster_form

__all__ = ("BuildEmbedder",)


class BuildEmbedder:
    """An encoder, started once for each role that a build has texts of: one that finds nothing changed needs neither.

    Args:
        encoder: What ships; one that came from elsewhere is to be tried out first.
    """

    def __init__(self, encoder: Encoder) -> None:
        self.info: ModelInfo = encoder.info
        self._encoder = encoder

    def encode(self, texts: Sequence[str], role: Role = "passage") -> Vectors:
        """Return one unit vector a text; the same text gives the same bits in any company."""
        return self._of(role).encode(texts, role)

    def encode_with_tokens(self, texts: Sequence[str], role: Role = "passage") -> list[Encoded]:
        """Return the unit vectors of each text and, where the encoder gives them, of its tokens."""
        return self._of(role).encode_with_tokens(texts, role)

    def pieces(self, text: str) -> list[str]:
        """Return the pieces that the model reads of a text, those that it does not know by the name that it has."""
        return self._questions.pieces(text)

    def _of(self, role: Role) -> Embedder:
        return self._questions if role == "query" else self._passages

    @cached_property
    def _questions(self) -> OnnxEmbedder:
        return self._encoder.load()

    @cached_property
    def _passages(self) -> OnnxEmbedder:
        return OnnxEmbedder(faster_form(self._encoder.onnx), self._encoder.tokenizer, self._encoder.info)
