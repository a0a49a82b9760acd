"""Embed passages with an endpoint, if its vectors agree with the index's own encoder."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from pincite_core.embedders import Embedder, Encoded, ModelInfo, Parity, Vectors
from pincite_core.errors import EmbeddingsEndpointError
from pincite_core.types import Role
from pincite_indexer.vectors.embedding import BATCH
from pincite_indexer.vectors.endpoint_client import AT_ONCE, Endpoint, EndpointClient, Patience
from pincite_indexer.vectors.parity import holds, parity_of, sample_of

__all__ = ("PassageReader", "passage_reader")

_KEPT_APART = "/endpoint"  # cache key suffix, because the endpoint's vectors are similar to the encoder's but not equal


@dataclass(frozen=True, slots=True)
class PassageReader:
    """Embedder of a build's passages.

    Attributes:
        embedder: The embedder.
        key: Key of its vectors in the cache.
        at_once: Number of texts in one call.
        parity: Similarity of the endpoint's vectors to the encoder's; None without an endpoint.
    """

    embedder: Embedder
    key: str
    at_once: int = BATCH
    parity: Parity | None = None


class _EndpointEmbedder:
    """Embedder that sends passages to an endpoint, and computes questions and token vectors locally."""

    def __init__(self, own: Embedder, client: EndpointClient) -> None:
        self.info: ModelInfo = own.info
        self._own = own
        self._client = client

    def encode(self, texts: Sequence[str], role: Role = "passage") -> Vectors:
        """Return one unit vector for each text."""
        if role == "query" or not texts:
            return self._own.encode(texts, role)
        return self._client.vectors([self.info.prompts.passage + text for text in texts])

    def encode_with_tokens(self, texts: Sequence[str], role: Role = "passage") -> list[Encoded]:
        """Return the unit vectors of each text and of its tokens, computed locally."""
        return self._own.encode_with_tokens(texts, role)

    def pieces(self, text: str) -> list[str]:
        """Return a text's tokens as strings."""
        return self._own.pieces(text)


@contextmanager
def passage_reader(
    endpoint: Endpoint | None, own: Embedder, texts: Sequence[str], patience: Patience | None = None
) -> Iterator[PassageReader]:
    """Yield the embedder for passages: the local embedder, or an endpoint that agrees with it.

    Args:
        endpoint: The endpoint; None for the local embedder.
        own: The local embedder, whose model the index ships or names.
        texts: The site's chunks; a sample of them shows whether the vectors agree.
        patience: Timeouts and retries of the endpoint.

    Raises:
        EmbeddingsEndpointError: The endpoint returns no valid vectors, or its vectors differ from the encoder's.
    """
    if endpoint is None:
        yield PassageReader(own, own.info.vectors_key)
        return
    with EndpointClient(endpoint, own.info.name, own.info.dimension, patience) as client:
        embedder = _EndpointEmbedder(own, client)
        parity = _measured(endpoint, own, embedder, sample_of(texts))
        yield PassageReader(embedder, own.info.vectors_key + _KEPT_APART, AT_ONCE, parity)


def _measured(endpoint: Endpoint, own: Embedder, theirs: Embedder, sample: list[str]) -> Parity:
    parity = parity_of(own.encode(sample).astype(np.float64), theirs.encode(sample).astype(np.float64))
    if holds(parity):
        return parity
    message = (
        f"{endpoint.name} does not embed as {own.info.name} does: cosine {parity.mean} mean, {parity.min} least of "
        f"{parity.sample} texts. Serve that model there, with its own pooling, or name with --model what it serves."
    )
    raise EmbeddingsEndpointError(message)
