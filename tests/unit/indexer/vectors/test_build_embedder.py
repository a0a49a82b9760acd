"""A build reads questions as those who ask will, and passages in the faster way."""

import numpy as np
import pytest
from tests.tiny_model import save_tiny_model

from pincite_core.embedders import Encoder
from pincite_indexer.vectors import build_embedder
from pincite_indexer.vectors.build_embedder import BuildEmbedder
from pincite_indexer.vectors.light_export import export_files

TEXTS = ["rotate the token", "a", "", "Wörter & 数字 42"]


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Encoder:
    return export_files(save_tiny_model(tmp_path_factory.mktemp("tiny")), "tiny")


def test_questions_have_the_bits_that_the_shipped_encoder_gives(encoder: Encoder) -> None:
    embedder, shipped = BuildEmbedder(encoder), encoder.load()
    assert np.array_equal(embedder.encode(TEXTS, "query"), shipped.encode(TEXTS, "query"))
    assert embedder.info == encoder.info
    assert embedder.pieces(TEXTS[0]) == shipped.pieces(TEXTS[0])


def test_passages_are_near_to_it_and_have_the_same_bits_with_their_tokens(encoder: Encoder) -> None:
    embedder = BuildEmbedder(encoder)
    passages = embedder.encode(TEXTS)
    assert (passages * encoder.load().encode(TEXTS)).sum(axis=1).min() > 0.99
    for vector, encoded in zip(passages, embedder.encode_with_tokens(TEXTS), strict=True):
        assert np.array_equal(encoded.vector, vector)
        assert encoded.tokens is not None


def test_a_build_that_only_asks_makes_no_faster_form(encoder: Encoder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build_embedder, "faster_form", None)
    assert len(BuildEmbedder(encoder).encode(TEXTS, "query")) == len(TEXTS)
