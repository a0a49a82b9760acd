"""Models that torch has exported, which takes seconds each, once a test run."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from pincite_core.embedders import Encoder, SentenceTransformerEmbedder, load_embedder

__all__ = ("Exported",)


@dataclass(frozen=True, slots=True)
class Exported:
    """A model, the folder it was read from, and the encoder that torch makes of it."""

    folder: Path
    model: SentenceTransformerEmbedder
    encoder: Encoder


@pytest.fixture(scope="session")
def exported(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Exported]:
    """Two small BERTs by their way of pooling, which nobody changes."""
    # Nobody else in this folder needs torch.
    from tests.tiny_model import save_tiny_model

    from pincite_indexer.vectors.encoder_export import export_encoder

    made = {}
    for pooling in ("mean", "cls"):
        folder = save_tiny_model(tmp_path_factory.mktemp(pooling), pooling)
        model = load_embedder(str(folder))
        assert isinstance(model, SentenceTransformerEmbedder)
        made[pooling] = Exported(folder, model, export_encoder(model))
    return made
