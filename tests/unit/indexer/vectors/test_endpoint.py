"""An endpoint embeds passages if it agrees with the index's encoder; questions and tokens stay on this machine."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.embeddings_server import Body, EmbeddingsServer, Said, embeddings_server
from tests.integration.proxies import free_port

from pincite_core.embedders import FakeEmbedder, Vectors
from pincite_core.errors import EmbeddingsEndpointError, InputError
from pincite_core.types import Prompts, Role
from pincite_indexer.vectors.embedding import Embedded, embed_texts
from pincite_indexer.vectors.endpoint import Endpoint, EndpointClient, Patience, passage_embedder
from pincite_indexer.vectors.vector_cache import VectorCache

TEXTS = [f"Text {number} about lanterns." for number in range(100)]
HASTY = Patience(connect=0.5, reply=0.3, tries=3, first_pause=0.01, longest_pause=2.0, altogether=3.0)


@pytest.fixture
def server() -> Iterator[EmbeddingsServer]:
    with embeddings_server(FakeEmbedder()) as running:
        yield running


def ask(url: str, texts: list[str] = TEXTS, model: str = "", key: str = "", patience: Patience = HASTY) -> Vectors:
    with EndpointClient(Endpoint(url, model, key), "fake", FakeEmbedder.info.dimension, patience) as client:
        return client.vectors(texts)


def test_each_text_gets_its_vector_whatever_the_order_of_requests_and_items(server: EmbeddingsServer):
    server.always = Said(body=lambda reply: {**reply, "data": reply["data"][::-1]})
    assert np.allclose(ask(server.url), FakeEmbedder().encode(TEXTS), atol=1e-6)
    assert sorted(server.texts) == sorted(TEXTS)
    assert max(len(body["input"]) for body in server.asked) == 32


def test_several_requests_run_in_parallel(server: EmbeddingsServer):
    server.always = Said(body=lambda reply: reply, after=0.1)
    ask(server.url, [f"{number}" for number in range(256)])
    assert 2 <= server.at_once <= 8


def test_without_texts_no_request_is_sent(server: EmbeddingsServer):
    assert ask(server.url, []).shape == (0, FakeEmbedder.info.dimension)
    assert server.asked == []


def test_vectors_of_another_length_become_unit_vectors(server: EmbeddingsServer):
    server.always = Said(body=scaled(3.0))
    assert np.allclose(ask(server.url), FakeEmbedder().encode(TEXTS), atol=1e-6)


def test_the_model_has_the_indexs_name_or_the_one_that_is_given(server: EmbeddingsServer):
    ask(server.url)
    ask(f"{server.url}/embeddings", model="other", key="a secret key")
    assert {body["model"] for body in server.asked} == {"fake", "other"}
    assert server.keys == {None, "Bearer a secret key"}


def test_temporary_errors_are_retried(server: EmbeddingsServer):
    server.instead = [Said(503, "busy"), Said(429, "", {"Retry-After": "0.05"}), Said(hang_up=True), Said(after=0.5)]
    assert np.allclose(ask(server.url), FakeEmbedder().encode(TEXTS), atol=1e-6)
    assert len(server.asked) == 4 + 4


def scaled(factor: float) -> Any:
    def change(reply: Body) -> Body:
        items = [{**item, "embedding": [factor * value for value in item["embedding"]]} for item in reply["data"]]
        return {**reply, "data": items}

    return change


def with_first(**changes: object) -> Any:
    return lambda reply: {**reply, "data": [{**reply["data"][0], **changes}, *reply["data"][1:]]}


WRONG = {
    "the key": (Said(401, "no"), "rejects the key (HTTP 401). Set PINCITE_EMBEDDINGS_KEY to a valid key."),
    "forbidden": (Said(403, "no"), "rejects the key (HTTP 403). Set PINCITE_EMBEDDINGS_KEY"),
    "no model": (Said(404, "no"), "has no such address or model (HTTP 404). Check --embeddings-url"),
    "too many texts": (
        Said(413, "no"),
        "rejects the texts (HTTP 413). It must accept 32 texts per request",
    ),
    "texts too long": (Said(400, "no"), "rejects the texts (HTTP 400)."),
    "moved": (Said(308, "", {"Location": "/v2"}), "redirects (HTTP 308). Set --embeddings-url to the address"),
    "failing": (Said(500, "no"), "fails (HTTP 500). Check its log, and build again."),
    "too busy": (Said(429, "no"), "limits the number of requests (HTTP 429). Build again later."),
    "too busy for long": (
        Said(429, "no", {"Retry-After": "3600"}),
        "limits the number of requests (HTTP 429). Build again in 3600 seconds.",
    ),
    "slow": (Said(after=0.6), "takes longer than 0.3 seconds for 32 texts."),
    "hanging up": (Said(hang_up=True), "cannot be reached (RemoteProtocolError). Check --embeddings-url"),
    "a page": (
        Said(200, "<html>", {"Content-Type": "text/html; charset=utf-8"}),
        "did not send vectors as OpenAI's API does, but text/html. Check --embeddings-url, which mostly ends in /v1.",
    ),
    "another API": (Said(200, "[[1, 2]]", {"Content-Type": "application/json"}), "as OpenAI's API does"),
    "no text": (Said(200, "\udcff".encode("utf-8", "surrogateescape").decode("latin-1")), "as OpenAI's API does"),
    "one too few": (Said(body=lambda reply: {**reply, "data": reply["data"][1:]}), "vectors for"),
    "one twice": (Said(body=with_first(index=1)), "sent 32 vectors for 32 texts."),
    "another dimension": (
        Said(body=lambda reply: {**reply, "data": [{**item, "embedding": [1.0, 2.0]} for item in reply["data"]]}),
        "sends vectors of 2 components, where fake has 64. Serve the index's model there, or pass the model",
    ),
    "one of another dimension": (Said(body=with_first(embedding=[1.0])), "of 1 and 64 components"),
    "no number": (Said(body=scaled(float("nan"))), "returns vectors that are all zeros or contain NaN or infinity."),
    "infinite": (Said(body=scaled(float("inf"))), "returns vectors that are all zeros or contain"),
    "zeros": (Said(body=scaled(0.0)), "returns vectors that are all zeros or contain"),
}


@pytest.mark.parametrize("name", WRONG)
def test_an_error_of_the_endpoint_is_one_sentence_that_names_it(name: str, server: EmbeddingsServer):
    server.always, expected = WRONG[name]
    with pytest.raises(EmbeddingsEndpointError) as error:
        ask(server.url, key="a secret key")
    message = str(error.value)
    assert message.startswith(f"The embedding endpoint {server.url} ")
    assert expected in message
    assert "secret" not in message
    assert "\n" not in message


def test_an_endpoint_that_is_not_there_cannot_be_reached():
    with pytest.raises(EmbeddingsEndpointError, match=r"cannot be reached \(ConnectError\). Check --embeddings-url"):
        ask(f"http://127.0.0.1:{free_port()}/v1")


def test_a_permanent_refusal_is_not_retried(server: EmbeddingsServer):
    server.always = Said(401, "no")
    with pytest.raises(EmbeddingsEndpointError):
        ask(server.url, TEXTS[:32])
    assert len(server.asked) == 1


def test_a_permanent_refusal_stops_the_retries_of_other_requests(server: EmbeddingsServer):
    server.instead = [Said(503, "busy", {"Retry-After": "60"}), Said(401, "no", after=0.1)]
    server.always = Said(401, "no", after=0.1)
    patient = Patience(longest_pause=60, altogether=300)
    started = time.monotonic()
    with pytest.raises(EmbeddingsEndpointError):
        ask(server.url, patience=patient)
    assert time.monotonic() - started < 30


@pytest.mark.parametrize("url", ["localhost:8080", "ftp://gpu/v1", "http://", "", "http://[::1/v1"])
def test_an_invalid_endpoint_url_is_refused(url: str):
    with pytest.raises(InputError, match=r"--embeddings-url is not the URL of an API. Write it as http://localhost"):
        Endpoint(url)


def test_an_address_with_a_password_is_refused_without_repeating_it():
    with pytest.raises(InputError, match="PINCITE_EMBEDDINGS_KEY instead") as error:
        Endpoint("http://me:hidden@gpu/v1")
    assert "hidden" not in str(error.value)
    assert "hidden" not in repr(Endpoint("http://gpu/v1", key="hidden"))


PASSAGES = [f"Lantern number {number} burns oil." for number in range(600)]
SAMPLED = 32
BRIEF = Patience(tries=2, first_pause=0.01)


class Prompted(FakeEmbedder):
    info = replace(FakeEmbedder.info, prompts=Prompts("ask: ", "tell: "))

    def encode(self, texts: Sequence[str], role: Role = "passage") -> Vectors:
        return super().encode([getattr(self.info.prompts, role) + text for text in texts], role)


class Another(FakeEmbedder):
    def encode(self, texts: Sequence[str], role: Role = "passage") -> Vectors:
        return super().encode([text[::-1] for text in texts], role)


def test_without_an_endpoint_the_local_embedder_is_used():
    own = FakeEmbedder()
    with passage_embedder(None, own, PASSAGES) as reader:
        assert (reader.embedder, reader.key, reader.parity) == (own, own.info.vectors_key, None)


def test_passages_are_sent_with_their_prompt_and_questions_and_tokens_are_computed_locally(server: EmbeddingsServer):
    own = Prompted()
    with passage_embedder(Endpoint(server.url), own, PASSAGES, BRIEF) as reader:
        assert reader.parity is not None
        assert (reader.parity.mean, reader.parity.sample) == (1.0, SAMPLED)
        server.asked.clear()
        assert np.allclose(reader.embedder.encode(PASSAGES[:2]), own.encode(PASSAGES[:2]), atol=1e-6)
        assert server.texts == [f"tell: {text}" for text in PASSAGES[:2]]
        assert np.array_equal(reader.embedder.encode(PASSAGES[:2], "query"), own.encode(PASSAGES[:2], "query"))
        assert reader.embedder.encode_with_tokens(PASSAGES[:2])[0].tokens is not None
        assert reader.embedder.pieces("a lantern") == own.pieces("a lantern")
        assert reader.embedder.info == own.info
        assert len(server.texts) == 2


def test_an_endpoint_with_other_vectors_is_refused_with_its_parity(server: EmbeddingsServer):
    server.embedder = Another()
    expected = r"does not embed as fake does: cosine -?0\.\d+ mean, -?0\.\d+ least of 32 texts. Serve that model there"
    with (
        pytest.raises(EmbeddingsEndpointError, match=expected),
        passage_embedder(Endpoint(server.url), FakeEmbedder(), PASSAGES, BRIEF),
    ):
        pytest.fail("it was taken")


def test_an_endpoint_that_ignores_the_prompt_is_refused(server: EmbeddingsServer):
    class Deaf(FakeEmbedder):
        def encode(self, texts: Sequence[str], role: Role = "passage") -> Vectors:
            return super().encode([text.removeprefix("tell: ") for text in texts], role)

    server.embedder = Deaf()
    with pytest.raises(EmbeddingsEndpointError), passage_embedder(Endpoint(server.url), Prompted(), PASSAGES, BRIEF):
        pytest.fail("it was taken")


def embed(server: EmbeddingsServer, cache_folder: Path) -> Embedded:
    with (
        passage_embedder(Endpoint(server.url), FakeEmbedder(), PASSAGES, BRIEF) as reader,
        VectorCache(reader.key, cache_folder) as cache,
    ):
        return embed_texts(PASSAGES, (), reader.embedder, cache, lambda _: None, {}, reader.at_once)


def test_vectors_received_before_a_failure_are_not_requested_again(server: EmbeddingsServer, tmp_path: Path):
    first = 1 + 256 // 32  # the sample, and the texts that are embedded at a time
    server.instead = [Said(body=lambda reply: reply)] * first
    server.always = Said(500, "broken")
    with pytest.raises(EmbeddingsEndpointError):
        embed(server, tmp_path)
    server.always = None
    server.asked.clear()
    found = embed(server, tmp_path)
    assert found.embedded == len(PASSAGES) - 256
    assert len(server.texts) == SAMPLED + len(PASSAGES) - 256


def test_vectors_of_an_endpoint_have_their_own_cache_key(server: EmbeddingsServer, tmp_path: Path):
    embed(server, tmp_path)
    with VectorCache(FakeEmbedder.info.vectors_key, tmp_path) as cache:
        own = embed_texts(PASSAGES, (), FakeEmbedder(), cache, lambda _: None, {})
    assert own.embedded == len(PASSAGES)
