"""The rows nearest to a question: an engine finds more than are wanted, exact cosines put them in order."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pincite_core.budget import check_budget
from pincite_core.index.quantise import cosines
from pincite_core.search.engine import Ids, Near, SearchEngine

__all__ = ("FindNear", "Nearest", "nearest")

_LEAST_RESCORED = 80  # bits fetch eight times the ten best, whose int8 rescoring then reaches recall 1.0 ...
_RESCORED_FACTOR = 2  # ... and twice a longer list, whose tail matters less than the time it takes

FindNear = Callable[[npt.NDArray[np.float32], Sequence[int], int], Near]
"""`SearchEngine.near_chunks` or `near_sentences`."""


class Nearest(NamedTuple):
    """Row ids and cosines, best first, the earlier row first among equals."""

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
    """Return the `k` rows of some scopes nearest to a unit vector, none of them in a hidden chunk.

    Args:
        engine: Holds the vectors.
        find: Which of its rows are looked through.
        query: The unit vector, shape (dimension,).
        scope_ids: The only scopes that may be found.
        k: How many rows, at most.
        hidden_chunks: Row ids of chunks that must not be found; as many more rows are looked at.
    """
    check_budget()
    count = max(_LEAST_RESCORED, k * _RESCORED_FACTOR)
    found = find(query, scope_ids, count + len(hidden_chunks))
    found = found.only(~np.isin(found.chunk_ids, hidden_chunks))
    # A vector is compared once: the product of a matrix rounds the same row differently in different places.
    vector_ids, places = np.unique(found.vector_ids, return_inverse=True)
    scores = cosines(query, engine.vectors(vector_ids))[places]
    best = np.lexsort((found.row_ids, -scores))[:k]
    return Nearest(found.row_ids[best], scores[best])
