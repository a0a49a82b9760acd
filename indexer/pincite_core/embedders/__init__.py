"""Load embedding models, which turn text into unit vectors. Heavy libraries are imported only to load a model.

`load_embedder` loads a model by name or folder. `encoder_from` reads the encoder that is deployed with an index.
`load_index_embedder` loads the encoder or model that made the vectors of an index.
"""

from pincite_core.deployed.build_facts import EncoderEntry, Parity
from pincite_core.embedders.base import DEFAULT_MODEL, FAKE_MODEL, Embedder, Encode, Encoded, ModelInfo, Vectors
from pincite_core.embedders.fake import FakeEmbedder
from pincite_core.embedders.loading import load_embedder
from pincite_core.embedders.onnx_encoder import OnnxEmbedder
from pincite_core.embedders.prompts import GivenPrompts
from pincite_core.embedders.sentence_transformer import SentenceTransformerEmbedder
from pincite_core.embedders.shipped import Encoder, encoder_from, load_encoder_of, load_index_embedder

__all__ = (
    "DEFAULT_MODEL",
    "FAKE_MODEL",
    "Embedder",
    "Encode",
    "Encoded",
    "Encoder",
    "EncoderEntry",
    "FakeEmbedder",
    "GivenPrompts",
    "ModelInfo",
    "OnnxEmbedder",
    "Parity",
    "SentenceTransformerEmbedder",
    "Vectors",
    "encoder_from",
    "load_embedder",
    "load_encoder_of",
    "load_index_embedder",
)
