"""Convert texts to stored vectors, reuse known vectors, and compare the vectors of two embedders."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pincite_core.deployed.build_facts import Parity
from pincite_core.embedders import Embedder
from pincite_core.index.quantise import Int8Vectors, StoredText, to_int8
from pincite_core.index.schema import text_hash
from pincite_core.search.late_interaction import pack_tokens
from pincite_indexer.systematic_sample import systematic_sample
from pincite_indexer.vectors.vector_cache import VectorCache

__all__ = ("BATCH", "Embedded", "embed_texts", "is_close", "parity_of", "sample_of", "truncated_share")

BATCH = 64
"""Number of texts between two steps of the progress bar."""

_PARITY_SAMPLE = 32  # two seconds of torch, once; a larger sample moves the mean by less than 0.001
_LEAST_MEAN = 0.98  # all-MiniLM-L6-v2 has mean 0.993 and minimum 0.980; one scale per tensor ...
_LEAST = 0.95  # ... instead of per channel gives 0.90, which affects search
_EMPTY_SITE = ("How do I get started?",)
_DIGITS = 4
_LENGTH_SAMPLE = 300  # texts; the share is exact to about 0.1, in a tenth of a second
_SPECIAL_TOKENS = 2  # one at each end


@dataclass(frozen=True, slots=True)
class Embedded:
    """Vectors of all texts in order, with their hashes and the counts of reused and new vectors.

    `tokens` holds the packed token vectors of the requested texts, by vector ID.
    """

    vectors: Int8Vectors
    hashes: list[bytes]
    tokens: dict[int, bytes]
    reused: int
    embedded: int


def embed_texts(
    texts: Sequence[str],
    with_tokens: Collection[int],
    embedder: Embedder,
    cache: VectorCache,
    advance: Callable[[int], None],
    deployed: Mapping[bytes, StoredText],
    at_once: int = BATCH,
) -> Embedded:
    """Return one int8 vector for each text, and token vectors for some of them.

    The vectors of an earlier index take precedence over the cache. The same inputs therefore give the same bytes,
    whatever the cache holds.

    Texts are embedded longest first, so that a batch holds texts of similar length. Each batch is saved at once, so a
    stopped build loses little work.

    Args:
        texts: The texts; a text's vector ID is its position, counted from 1.
        with_tokens: Vector IDs of the texts that need token vectors.
        embedder: The model.
        cache: Cache to look up known texts and to store new ones.
        advance: Called with the number of texts that each step finished.
        deployed: The texts of an earlier index, by text hash.
        at_once: Number of texts in one call of the model.
    """
    hashes = [text_hash(text) for text in texts]
    wanted = {hashes[vector_id - 1] for vector_id in with_tokens}

    def enough(digest: bytes, text: StoredText) -> bool:
        return text.tokens is not None or digest not in wanted

    known = {digest: deployed[digest] for digest in hashes if digest in deployed and enough(digest, deployed[digest])}
    cached = cache.get([digest for digest in hashes if digest not in known])
    known.update((digest, text) for digest, text in cached.items() if enough(digest, text))
    missing = sorted((i for i in range(len(texts)) if hashes[i] not in known), key=lambda i: -len(texts[i]))
    advance(len(texts) - len(missing))
    for start in range(0, len(missing), at_once):
        batch = missing[start : start + at_once]
        fresh = _embed({hashes[i]: texts[i] for i in batch}, wanted, embedder)
        known.update(fresh)
        cache.put(fresh)
        advance(len(batch))
    dimension = embedder.info.dimension
    stacked = np.stack([known[digest].vector for digest in hashes]) if texts else np.zeros((0, dimension), np.int8)
    tokens = {number: known[hashes[number - 1]].tokens or b"" for number in sorted(with_tokens)}
    packed = {number: stored for number, stored in tokens.items() if stored}
    return Embedded(stacked, hashes, packed, len(texts) - len(missing), len(missing))


def _embed(texts: Mapping[bytes, str], wanted: Collection[bytes], embedder: Embedder) -> dict[bytes, StoredText]:
    plain = [digest for digest in texts if digest not in wanted]
    full = [digest for digest in texts if digest in wanted]
    vectors = embedder.encode([texts[digest] for digest in plain], "passage")
    found = {digest: StoredText(to_int8(vector[np.newaxis])[0]) for digest, vector in zip(plain, vectors, strict=True)}
    for digest, text in zip(full, embedder.encode_with_tokens([texts[digest] for digest in full]), strict=True):
        tokens = b"" if text.tokens is None else pack_tokens(text.tokens).tobytes()
        found[digest] = StoredText(to_int8(text.vector[np.newaxis])[0], tokens)
    return found


def sample_of(texts: Sequence[str]) -> list[str]:
    """Return the texts with the smallest hashes, at least one; a changed page rarely changes this sample."""
    return sorted(set(texts), key=text_hash)[:_PARITY_SAMPLE] or list(_EMPTY_SITE)


def parity_of(ours: npt.NDArray[np.float64], theirs: npt.NDArray[np.float64]) -> Parity:
    """Return the cosines between the rows of two arrays of shape (texts, dimension)."""
    found = (ours * theirs).sum(axis=1) / np.linalg.norm(ours, axis=1) / np.linalg.norm(theirs, axis=1)
    return Parity(round(float(found.mean()), _DIGITS), round(float(found.min()), _DIGITS), len(found))


def is_close(parity: Parity) -> bool:
    """Return whether one embedder can replace the other."""
    return parity.mean >= _LEAST_MEAN and parity.min >= _LEAST


def truncated_share(texts: Sequence[str], embedder: Embedder) -> float:
    """Return the share of texts, 0 to 1, that exceed the model's token limit. Only words find the truncated part."""
    sample = systematic_sample(list(texts), _LENGTH_SAMPLE)
    limit = embedder.info.max_tokens - _SPECIAL_TOKENS
    prompt = embedder.info.prompts.passage
    return sum(len(embedder.pieces(prompt + text)) > limit for text in sample) / max(1, len(sample))
