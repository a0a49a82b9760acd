"""Stage 2: the sections of a scope that may answer a question."""

import numpy as np
import numpy.typing as npt

from pincite_core.search import SearchResult, search
from pincite_server.engine import Engine
from pincite_server.model import ChosenScope

__all__ = ("SECTIONS", "retrieve")

SECTIONS = 8  # five are cited at most; a few more let the composer choose


def retrieve(engine: Engine, vector: npt.NDArray[np.float32], query: str, scope: ChosenScope) -> SearchResult:
    """Return the best sections of the scope with the search's signals."""
    return search(engine.index, vector, query, scope.scope_ids, SECTIONS)
