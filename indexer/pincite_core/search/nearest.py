"""Nearest-neighbour search: an engine retrieves more rows than requested, and exact cosines rank them."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pincite_core.budget import check_budget
from pincite_core.index.quantise import cosines
from pincite_core.search.engine import Ids, Near, SearchEngine

__all__ = ("FindNear", "Nearest", "nearest")

_LEAST_RESCORED = 80  # for k = 10: int8 rescoring of eight times as many rows reaches recall 1.0
_RESCORED_FACTOR = 2  # for longer lists: their tail matters less than the time

FindNear = Callable[[npt.NDArray[np.float32], Sequence[int], int], Near]
"""The method `SearchEngine.near_chunks` or `SearchEngine.near_units`."""


class Nearest(NamedTuple):
    """Row ids and cosines, best first; equal cosines are in order of row ids."""

    row_ids: Ids
    scores: npt.NDArray[np.float32]


def nearest(
    engine: SearchEngine,
    find: FindNear,
    query: npt.NDArray[np.float32],
    scope_ids: Sequence[int],
    k: int,
    hidden_chunks: Ids,
) -> Nearest:
    """Return the `k` rows nearest to a unit vector within the given scopes, without hidden chunks.

    Args:
        engine: The engine that stores the vectors.
        find: The engine's method that retrieves chunks or units.
        query: The unit vector, shape (dimension,).
        scope_ids: The scopes to search.
        k: The maximum number of rows.
        hidden_chunks: Row ids of chunks to exclude. The engine retrieves that many more rows.
    """
    check_budget()
    count = max(_LEAST_RESCORED, k * _RESCORED_FACTOR)
    found = find(query, scope_ids, count + len(hidden_chunks))
    found = found.only(~np.isin(found.chunk_ids, hidden_chunks))
    # Compare each vector once: a matrix product may round the same row differently at different positions.
    vector_ids, places = np.unique(found.vector_ids, return_inverse=True)
    scores = cosines(query, engine.vectors(vector_ids))[places]
    best = np.lexsort((found.row_ids, -scores))[:k]
    return Nearest(found.row_ids[best], scores[best])
