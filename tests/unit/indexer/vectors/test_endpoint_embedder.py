"""An endpoint reads passages where it embeds as the index's encoder does; questions and tokens stay here."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.embeddings_server import EmbeddingsServer, Said, embeddings_server

from pincite_core.embedders import FakeEmbedder, Vectors
from pincite_core.errors import EmbeddingsEndpointError
from pincite_core.types import Prompts, Role
from pincite_indexer.vectors.embedding import Embedded, embed_texts
from pincite_indexer.vectors.endpoint_client import Endpoint, Patience
from pincite_indexer.vectors.endpoint_embedder import passage_reader
from pincite_indexer.vectors.vector_cache import VectorCache

TEXTS = [f"Lantern number {number} burns oil." for number in range(600)]
SAMPLED = 32
HASTY = Patience(tries=2, first_pause=0.01)


class Prompted(FakeEmbedder):
    info = replace(FakeEmbedder.info, prompts=Prompts("ask: ", "tell: "))

    def encode(self, texts: Sequence[str], role: Role = "passage") -> Vectors:
        return super().encode([getattr(self.info.prompts, role) + text for text in texts], role)


class Another(FakeEmbedder):
    def encode(self, texts: Sequence[str], role: Role = "passage") -> Vectors:
        return super().encode([text[::-1] for text in texts], role)


@pytest.fixture
def server() -> Iterator[EmbeddingsServer]:
    with embeddings_server(FakeEmbedder()) as running:
        yield running


def test_without_an_endpoint_the_encoder_reads_them_itself():
    own = FakeEmbedder()
    with passage_reader(None, own, TEXTS) as reader:
        assert (reader.embedder, reader.key, reader.parity) == (own, own.info.vectors_key, None)


def test_passages_go_there_with_their_prompt_and_questions_and_tokens_stay(server: EmbeddingsServer):
    own = Prompted()
    with passage_reader(Endpoint(server.url), own, TEXTS, HASTY) as reader:
        assert reader.parity is not None
        assert (reader.parity.mean, reader.parity.sample) == (1.0, SAMPLED)
        server.asked.clear()
        assert np.allclose(reader.embedder.encode(TEXTS[:2]), own.encode(TEXTS[:2]), atol=1e-6)
        assert server.texts == [f"tell: {text}" for text in TEXTS[:2]]
        assert np.array_equal(reader.embedder.encode(TEXTS[:2], "query"), own.encode(TEXTS[:2], "query"))
        assert reader.embedder.encode_with_tokens(TEXTS[:2])[0].tokens is not None
        assert reader.embedder.pieces("a lantern") == own.pieces("a lantern")
        assert reader.embedder.info == own.info
        assert len(server.texts) == 2


def test_one_that_embeds_otherwise_is_refused_with_how_far_it_is(server: EmbeddingsServer):
    server.embedder = Another()
    expected = r"does not embed as fake does: cosine -?0\.\d+ mean, -?0\.\d+ least of 32 texts. Serve that model there"
    with (
        pytest.raises(EmbeddingsEndpointError, match=expected),
        passage_reader(Endpoint(server.url), FakeEmbedder(), TEXTS, HASTY),
    ):
        pytest.fail("it was taken")


def test_one_that_lacks_the_prompt_is_refused(server: EmbeddingsServer):
    class Deaf(FakeEmbedder):
        def encode(self, texts: Sequence[str], role: Role = "passage") -> Vectors:
            return super().encode([text.removeprefix("tell: ") for text in texts], role)

    server.embedder = Deaf()
    with pytest.raises(EmbeddingsEndpointError), passage_reader(Endpoint(server.url), Prompted(), TEXTS, HASTY):
        pytest.fail("it was taken")


def embed(server: EmbeddingsServer, cache_folder: Path) -> Embedded:
    with (
        passage_reader(Endpoint(server.url), FakeEmbedder(), TEXTS, HASTY) as reader,
        VectorCache(reader.key, cache_folder) as cache,
    ):
        return embed_texts(TEXTS, (), reader.embedder, cache, lambda _: None, {}, reader.at_once)


def test_what_came_before_it_failed_is_not_asked_for_again(server: EmbeddingsServer, tmp_path: Path):
    first = 1 + 256 // 32  # the sample, and the texts that are embedded at a time
    server.instead = [Said(body=lambda reply: reply)] * first
    server.always = Said(500, "broken")
    with pytest.raises(EmbeddingsEndpointError):
        embed(server, tmp_path)
    server.always = None
    server.asked.clear()
    found = embed(server, tmp_path)
    assert found.embedded == len(TEXTS) - 256
    assert len(server.texts) == SAMPLED + len(TEXTS) - 256


def test_its_vectors_are_kept_apart_from_the_encoders_own(server: EmbeddingsServer, tmp_path: Path):
    embed(server, tmp_path)
    with VectorCache(FakeEmbedder.info.vectors_key, tmp_path) as cache:
        own = embed_texts(TEXTS, (), FakeEmbedder(), cache, lambda _: None, {})
    assert own.embedded == len(TEXTS)
