"""How close an exported encoder comes to its model, over a sample of the site's own chunks."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from pincite_core.embedders import OnnxEmbedder, Parity, Vectors
from pincite_core.index.quantise import StoredText, to_int8
from pincite_core.index.text_hash import text_hash
from pincite_indexer.vectors.vector_cache import VectorCache

__all__ = ("holds", "measure", "sample_of")

_SAMPLE = 32  # two seconds of torch, once; more moves the mean by less than 0.001
_LEAST_MEAN = 0.98  # all-MiniLM-L6-v2 has 0.993 mean and 0.980 least; one scale a tensor instead of a channel ...
_LEAST = 0.95  # ... gives 0.90, which search notices
_EMPTY_SITE = ("How do I get started?",)
_DIGITS = 4


def holds(parity: Parity) -> bool:
    """Return whether the encoder may stand in for its model."""
    return parity.mean >= _LEAST_MEAN and parity.min >= _LEAST


def measure(
    encoder: OnnxEmbedder, encode: Callable[[list[str]], Vectors], texts: Sequence[str], cache_root: Path | None
) -> Parity:
    """Return the cosines between an encoder's vectors and its model's, both as the index stores them.

    Args:
        encoder: The encoder.
        encode: The model, one text at a time; not called when the cache knows all vectors of the sample.
        texts: The site's chunks.
        cache_root: Where the model's vectors are kept; None: nowhere.
    """
    sample = sample_of(texts) or list(_EMPTY_SITE)
    # Kept apart from vectors made in batches, which differ in the last bit: the same site gives the same figures.
    alone = replace(encoder.info, encoder="").vectors_key + "/alone"
    theirs = _stored(sample, encode, alone, cache_root)
    ours = _stored(sample, encoder.encode, encoder.info.vectors_key, cache_root)
    found = (ours * theirs).sum(axis=1) / np.linalg.norm(ours, axis=1) / np.linalg.norm(theirs, axis=1)
    return Parity(round(float(found.mean()), _DIGITS), round(float(found.min()), _DIGITS), len(found))


def sample_of(texts: Sequence[str]) -> list[str]:
    """Return the texts whose hashes are smallest: a page that changes rarely changes the sample."""
    return sorted(set(texts), key=text_hash)[:_SAMPLE]


def _stored(
    sample: list[str], encode: Callable[[list[str]], Vectors], key: str, cache_root: Path | None
) -> npt.NDArray[np.float64]:
    """Return the sample's vectors as an index stores them; those that the cache has are not made again."""
    hashes = [text_hash(text) for text in sample]
    with VectorCache(key, cache_root) as cache:
        known = cache.get(hashes)
        missing = [position for position, digest in enumerate(hashes) if digest not in known]
        if missing:
            vectors = to_int8(encode([sample[position] for position in missing]))
            fresh = {hashes[row]: StoredText(vector) for row, vector in zip(missing, vectors, strict=True)}
            cache.put(fresh)
            known.update(fresh)
    return np.stack([known[digest].vector for digest in hashes]).astype(np.float64)
