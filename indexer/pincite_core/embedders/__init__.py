"""Load embedding models, which turn text into unit vectors. Heavy libraries are imported only to load a model.

`load_embedder` loads a model by name or folder. `encoder_from` reads the encoder that is deployed with an index.
`load_index_embedder` loads the encoder or model that made the vectors of an index.
"""

from pincite_core.embedders.base import (
    DEFAULT_MODEL,
    FAKE_MODEL,
    Embedder,
    Encode,
    Encoded,
    FakeEmbedder,
    GivenPrompts,
    ModelInfo,
    Vectors,
)
from pincite_core.embedders.loading import load_embedder
from pincite_core.embedders.onnx_encoder import OnnxEmbedder
from pincite_core.embedders.sentence_transformer import SentenceTransformerEmbedder
from pincite_core.embedders.shipped import Encoder, encoder_from, load_index_embedder

__all__ = (
    "DEFAULT_MODEL",
    "FAKE_MODEL",
    "Embedder",
    "Encode",
    "Encoded",
    "Encoder",
    "FakeEmbedder",
    "GivenPrompts",
    "ModelInfo",
    "OnnxEmbedder",
    "SentenceTransformerEmbedder",
    "Vectors",
    "encoder_from",
    "load_embedder",
    "load_index_embedder",
)
