"""Embed passages with an endpoint of OpenAI's `POST /v1/embeddings`, in parallel and with limited retries.

The endpoint's vectors must agree with the index's own encoder.
"""

import math
import random
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

import httpx
import msgspec
import numpy as np

from pincite_core.deployed.build_facts import Parity
from pincite_core.deployed.origin import shown
from pincite_core.embedders import Embedder, Encoded, ModelInfo, Vectors
from pincite_core.errors import EmbeddingsEndpointError, InputError
from pincite_core.types import Role
from pincite_core.urls import parse_url
from pincite_indexer.vectors.embedding import BATCH, is_close, parity_of, sample_of

__all__ = ("Endpoint", "EndpointClient", "PassageEmbedder", "Patience", "passage_embedder")

_PER_REQUEST = 32  # texts; the default limit of text-embeddings-inference
_REQUESTS = 8  # in parallel, so that the server computes while other requests are in transit, and can batch them
_AT_ONCE = _PER_REQUEST * _REQUESTS  # texts in one call that keep the endpoint busy
_CACHE_SUFFIX = "/endpoint"  # of cache keys, because the endpoint's vectors are similar to the encoder's but not equal
_AGAIN = frozenset({408, 425, 429, 500, 502, 503, 504, 529})
_KEY_REFUSED = frozenset({401, 403})
_TEXTS_REFUSED = frozenset({400, 413, 422})
_PATH = "/embeddings"
_NOT_NUMBERS = "returns vectors that are all zeros or contain NaN or infinity. Serve the model in float32."
_GOOD_ADDRESS = "Check --embeddings-url, which mostly ends in /v1"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Base URL of an embedding endpoint, its name for the model if that is another, and its API key, which is secret.

    Raises:
        InputError: The URL is invalid or contains a password.
    """

    url: str
    model: str = ""
    key: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        parts = parse_url(self.url)
        if parts is None or parts.scheme not in {"http", "https"} or not parts.hostname:
            message = "--embeddings-url is not the URL of an API. Write it as http://localhost:8080/v1."
            raise InputError(message)
        if "@" in parts.netloc:
            message = "--embeddings-url contains a password: set the key in PINCITE_EMBEDDINGS_KEY instead."
            raise InputError(message)

    @property
    def name(self) -> str:
        """The endpoint's name for messages."""
        return f"The embedding endpoint {shown(self.url)}"


@dataclass(frozen=True, slots=True)
class Patience:
    """Timeouts in seconds, and retries of a request; together about five minutes, in which an endpoint can restart."""

    connect: float = 10.0
    reply: float = 120.0  # a CPU takes a few seconds for 32 texts
    tries: int = 8
    first_pause: float = 1.0  # doubled after each try, with jitter so that the requests do not retry together
    longest_pause: float = 60.0  # also the longest accepted `Retry-After`
    altogether: float = 300.0  # no retry starts after this time


class _Item(msgspec.Struct):
    index: int
    embedding: list[float]


class _Reply(msgspec.Struct):
    data: list[_Item]


class EndpointClient:
    """Client of an embedding endpoint, used as a context manager.

    `model` is the model's name, if the endpoint defines no other name. `dimension` is the number of components of a
    vector.
    """

    def __init__(self, endpoint: Endpoint, model: str, dimension: int, patience: Patience | None = None) -> None:
        self._name = endpoint.name
        self._address = endpoint.url.rstrip("/").removesuffix(_PATH) + _PATH
        self._model = endpoint.model or model
        self._dimension = dimension
        self._patience = patience or Patience()
        headers = {"Authorization": f"Bearer {endpoint.key}"} if endpoint.key else {}
        timeout = httpx.Timeout(self._patience.reply, connect=self._patience.connect)
        self._http = httpx.Client(headers=headers, timeout=timeout)
        self._pool = ThreadPoolExecutor(_REQUESTS, thread_name_prefix="pincite-embeddings")
        self._given_up = threading.Event()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._given_up.set()
        self._pool.shutdown(cancel_futures=True)
        self._http.close()

    def vectors(self, texts: Sequence[str]) -> Vectors:
        """Return one unit vector for each text, in order, shape (texts, dimension).

        Raises:
            EmbeddingsEndpointError: The endpoint returns no valid vectors.
        """
        parts = [list(texts[start : start + _PER_REQUEST]) for start in range(0, len(texts), _PER_REQUEST)]
        found = list(self._pool.map(self._request, parts))
        return np.concatenate([np.zeros((0, self._dimension), dtype=np.float32), *found])

    def _request(self, texts: list[str]) -> Vectors:
        body = {"model": self._model, "input": texts, "encoding_format": "float"}
        end = time.monotonic() + self._patience.altogether
        for attempt in range(1, self._patience.tries + 1):
            pause = min(self._patience.first_pause * 2.0 ** (attempt - 1), self._patience.longest_pause)
            pause *= random.uniform(0.5, 1.0)
            last = attempt == self._patience.tries
            try:
                response = self._http.post(self._address, json=body)
            except (httpx.TransportError, httpx.DecodingError) as error:
                if last or self._is_late(end, pause):
                    raise self._unreachable(error) from error
                continue
            if response.is_success:
                return self._read(response, len(texts))
            pause = _retry_after(response) or pause
            if response.status_code not in _AGAIN or last or self._is_late(end, pause):
                raise self._refusal(response)
        raise AssertionError  # the last attempt returns or raises

    def _is_late(self, end: float, pause: float) -> bool:
        """Wait for the pause; return whether the pause exceeds a limit or another request failed for good."""
        if pause > self._patience.longest_pause or time.monotonic() + pause > end:
            return True
        return self._given_up.wait(pause)

    def _read(self, response: httpx.Response, count: int) -> Vectors:
        try:
            items = sorted(msgspec.json.decode(response.content, type=_Reply).data, key=lambda item: item.index)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            if b"NaN" in response.content or b"Infinity" in response.content:
                raise self._error(_NOT_NUMBERS) from error
            kind = response.headers.get("content-type", "").partition(";")[0] or "no type"
            raise self._error(f"did not send vectors as OpenAI's API does, but {kind}. {_GOOD_ADDRESS}.") from error
        if [item.index for item in items] != list(range(count)):
            raise self._error(f"sent {len(items)} vectors for {count} texts. Check its log, and build again.")
        dimensions = {len(item.embedding) for item in items}
        if dimensions != {self._dimension}:
            sizes = " and ".join(map(str, sorted(dimensions)))
            raise self._error(
                f"sends vectors of {sizes} components, where {self._model} has {self._dimension}. "
                "Serve the index's model there, or pass the model that it serves with --model."
            )
        vectors = np.array([item.embedding for item in items], dtype=np.float32)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        if not np.isfinite(lengths).all() or not lengths.all():
            raise self._error(_NOT_NUMBERS)
        scaled: Vectors = vectors / lengths
        return scaled

    def _unreachable(self, error: httpx.HTTPError) -> EmbeddingsEndpointError:
        if isinstance(error, httpx.ReadTimeout):
            return self._error(f"takes longer than {self._patience.reply:g} seconds for {_PER_REQUEST} texts.")
        return self._error(f"cannot be reached ({type(error).__name__}). Check --embeddings-url, and that it runs.")

    def _refusal(self, response: httpx.Response) -> EmbeddingsEndpointError:
        status = response.status_code
        if status in _KEY_REFUSED:
            return self._error(f"rejects the key (HTTP {status}). Set PINCITE_EMBEDDINGS_KEY to a valid key.")
        if status == httpx.codes.NOT_FOUND:
            return self._error(f"has no such address or model (HTTP 404). {_GOOD_ADDRESS}, and --embeddings-model.")
        if status in _TEXTS_REFUSED:
            must = f"It must accept {_PER_REQUEST} texts per request, and truncate texts too long for its model."
            return self._error(f"rejects the texts (HTTP {status}). {must}")
        if status == httpx.codes.TOO_MANY_REQUESTS:
            seconds = _retry_after(response)
            when = f"in {math.ceil(seconds)} seconds" if seconds else "later"
            return self._error(f"limits the number of requests (HTTP 429). Build again {when}.")
        if response.is_redirect:
            return self._error(f"redirects (HTTP {status}). Set --embeddings-url to the address after the redirect.")
        return self._error(f"fails (HTTP {status}). Check its log, and build again.")

    def _error(self, what: str) -> EmbeddingsEndpointError:
        self._given_up.set()  # stops the retries of the other requests
        return EmbeddingsEndpointError(f"{self._name} {what}")


def _retry_after(response: httpx.Response) -> float:
    """Return the seconds of the header `Retry-After`; 0 if it is missing or not a number."""
    seconds = response.headers.get("retry-after", "")
    return float(seconds) if seconds.replace(".", "", 1).isdecimal() else 0.0


@dataclass(frozen=True, slots=True)
class PassageEmbedder:
    """Embedder of a build's passages, with the cache key of its vectors and the number of texts in one call.

    `parity` is the similarity of the endpoint's vectors to the encoder's; None without an endpoint.
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
        if role == "query" or not texts:
            return self._own.encode(texts, role)
        return self._client.vectors([self.info.prompts.passage + text for text in texts])

    def encode_with_tokens(self, texts: Sequence[str], role: Role = "passage") -> list[Encoded]:
        return self._own.encode_with_tokens(texts, role)

    def pieces(self, text: str) -> list[str]:
        return self._own.pieces(text)


@contextmanager
def passage_embedder(
    endpoint: Endpoint | None, own: Embedder, texts: Sequence[str], patience: Patience | None = None
) -> Iterator[PassageEmbedder]:
    """Yield the embedder for passages: the local embedder, or an endpoint whose vectors agree with it.

    A sample of the texts, which are the site's chunks, shows whether the vectors agree.

    Raises:
        EmbeddingsEndpointError: The endpoint returns no valid vectors, or its vectors differ from the encoder's.
    """
    if endpoint is None:
        yield PassageEmbedder(own, own.info.vectors_key)
        return
    with EndpointClient(endpoint, own.info.name, own.info.dimension, patience) as client:
        embedder = _EndpointEmbedder(own, client)
        sample = sample_of(texts)
        parity = parity_of(own.encode(sample).astype(np.float64), embedder.encode(sample).astype(np.float64))
        if not is_close(parity):
            message = (
                f"{endpoint.name} does not embed as {own.info.name} does: cosine {parity.mean} mean, {parity.min} "
                f"least of {parity.sample} texts. Serve that model there, with its own pooling, or pass the model "
                "that it serves with --model."
            )
            raise EmbeddingsEndpointError(message)
        yield PassageEmbedder(embedder, own.info.vectors_key + _CACHE_SUFFIX, _AT_ONCE, parity)
