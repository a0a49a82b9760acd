"""Measure the similarity of two embedders' vectors, and define the required similarity."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from pincite_core.embedders import Parity
from pincite_core.index.text_hash import text_hash

__all__ = ("holds", "parity_of", "sample_of")

_SAMPLE = 32  # two seconds of torch, once; a larger sample moves the mean by less than 0.001
_LEAST_MEAN = 0.98  # all-MiniLM-L6-v2 has mean 0.993 and minimum 0.980; one scale per tensor ...
_LEAST = 0.95  # ... instead of per channel gives 0.90, which affects search
_EMPTY_SITE = ("How do I get started?",)
_DIGITS = 4


def sample_of(texts: Sequence[str]) -> list[str]:
    """Return the texts with the smallest hashes, at least one; a changed page rarely changes this sample."""
    return sorted(set(texts), key=text_hash)[:_SAMPLE] or list(_EMPTY_SITE)


def parity_of(ours: npt.NDArray[np.float64], theirs: npt.NDArray[np.float64]) -> Parity:
    """Return the cosines between the rows of two arrays of shape (texts, dimension)."""
    found = (ours * theirs).sum(axis=1) / np.linalg.norm(ours, axis=1) / np.linalg.norm(theirs, axis=1)
    return Parity(round(float(found.mean()), _DIGITS), round(float(found.min()), _DIGITS), len(found))


def holds(parity: Parity) -> bool:
    """Return whether the similarity is high enough to replace one embedder with the other."""
    return parity.mean >= _LEAST_MEAN and parity.min >= _LEAST
