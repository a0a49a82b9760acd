"""Quantise vectors for storage: one sign bit per component for the scan, and int8 to rescore the candidates."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pincite_core.embedders import Vectors

__all__ = ("Int8Vectors", "StoredText", "cosines", "to_bits", "to_int8")

Int8Vectors = npt.NDArray[np.int8]


class StoredText(NamedTuple):
    """The stored form of an embedded text.

    Attributes:
        vector: The quantised vector: int8, shape (dimension,).
        tokens: The packed token vectors. None if they were not computed, and empty if the model has no token vectors.
    """

    vector: Int8Vectors
    tokens: bytes | None = None


def to_bits(vectors: Vectors | Int8Vectors) -> npt.NDArray[np.uint8]:
    """Return the sign bits of vectors, eight components per byte: uint8, shape (n, ceil(dimension / 8))."""
    return np.packbits(vectors > 0, axis=1, bitorder="little")


def to_int8(vectors: Vectors) -> Int8Vectors:
    """Return vectors as int8, each scaled so that its largest absolute component is 127.

    The length of a vector is lost, but a cosine does not need it.
    """
    peak = np.abs(vectors).max(axis=1, keepdims=True)
    return np.rint(vectors / np.where(peak == 0, 1, peak) * 127).astype(np.int8)


def cosines(query: npt.NDArray[np.float32], stored: Int8Vectors) -> npt.NDArray[np.float32]:
    """Return the cosine between a unit vector, shape (dimension,), and each stored row, shape (n, dimension).

    Sums are of float64 and the result is rounded to float32, so that equal rows have equal cosines at any position, and
    the browser, which sums in another order, gets the same ones.
    """
    rows = stored.astype(np.float64)
    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    scores: npt.NDArray[np.float32] = ((rows @ query.astype(np.float64)) / np.maximum(lengths, 1.0)).astype(np.float32)
    return scores
