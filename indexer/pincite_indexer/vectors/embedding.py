"""Texts to stored vectors, embedding none twice: what an earlier index or the local cache holds is taken from there."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pincite_core.embedders import Embedder
from pincite_core.quantise import Int8Vectors, to_int8
from pincite_core.text_hash import text_hash
from pincite_indexer.vectors.vector_cache import VectorCache

__all__ = ("Embedded", "embed_texts")

_BATCH = 64  # texts between two steps of the progress bar


@dataclass(frozen=True, slots=True)
class Embedded:
    """Vectors of all texts, in order, their hashes, and how many came from where."""

    vectors: Int8Vectors
    hashes: list[bytes]
    reused: int
    embedded: int


def embed_texts(
    texts: Sequence[str],
    embedder: Embedder,
    cache: VectorCache,
    advance: Callable[[int], None],
    deployed: Mapping[bytes, Int8Vectors],
) -> Embedded:
    """Return one int8 vector a text; `advance` is told how many texts each step did.

    The vectors of an earlier index, `deployed` by text hash, go before the cache's, so that the same inputs give the
    same bytes whatever the cache holds.

    Texts are embedded longest first, so that a batch holds texts of like length, and saved batch by batch, so that a
    build that is stopped loses little.
    """
    hashes = [text_hash(text) for text in texts]
    known = {digest: deployed[digest] for digest in hashes if digest in deployed}
    known.update(cache.get([digest for digest in hashes if digest not in known]))
    missing = sorted((i for i in range(len(texts)) if hashes[i] not in known), key=lambda i: -len(texts[i]))
    advance(len(texts) - len(missing))
    for start in range(0, len(missing), _BATCH):
        batch = missing[start : start + _BATCH]
        vectors = to_int8(embedder.encode([texts[i] for i in batch]))
        fresh = {hashes[i]: vector for i, vector in zip(batch, vectors, strict=True)}
        known.update(fresh)
        cache.put(fresh)
        advance(len(batch))
    dimension = embedder.info.dimension
    stacked = np.stack([known[digest] for digest in hashes]) if texts else np.zeros((0, dimension), dtype=np.int8)
    return Embedded(stacked, hashes, len(texts) - len(missing), len(missing))
