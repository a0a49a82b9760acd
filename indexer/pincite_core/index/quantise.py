"""One storage form for vectors: a sign bit a component for the scan, int8 for rescoring what the scan found."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pincite_core.embedders import Vectors

__all__ = ("Int8Vectors", "StoredText", "cosines", "to_bits", "to_int8")

Int8Vectors = npt.NDArray[np.int8]


class StoredText(NamedTuple):
    """What is kept of an embedded text: its vector, int8, shape (dimension,), and its packed tokens.

    `tokens` is None where they were never asked for, and empty where the model gives none.
    """

    vector: Int8Vectors
    tokens: bytes | None = None


def to_bits(vectors: Vectors | Int8Vectors) -> npt.NDArray[np.uint8]:
    """Return the sign bits, eight components a byte: shape (n, dimension / 8)."""
    return np.packbits(vectors > 0, axis=1, bitorder="little")


def to_int8(vectors: Vectors) -> Int8Vectors:
    """Return each vector scaled so that its largest component is 127; the length is not kept, a cosine needs none."""
    peak = np.abs(vectors).max(axis=1, keepdims=True)
    return np.rint(vectors / np.where(peak == 0, 1, peak) * 127).astype(np.int8)


def cosines(query: npt.NDArray[np.float32], stored: Int8Vectors) -> npt.NDArray[np.float32]:
    """Return the cosine of a unit vector (dimension,) with each stored row (n, dimension)."""
    rows = stored.astype(np.float32)
    lengths = np.linalg.norm(rows, axis=1)
    scores: npt.NDArray[np.float32] = (rows @ query) / np.maximum(lengths, np.float32(1))
    return scores
