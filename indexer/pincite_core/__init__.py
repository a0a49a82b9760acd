"""Shared code of the indexer and the server: the index file, embedders and search. It imports neither of the two.

The names below are imported lazily. The worker processes that parse pages need none of them, and without numpy these
processes start in a third of the time.
"""

import os
from importlib import import_module
from typing import TYPE_CHECKING

from pincite_core.version import __version__

if TYPE_CHECKING:
    from pincite_core.embedders import DEFAULT_MODEL, Embedder, load_embedder
    from pincite_core.errors import PinciteError
    from pincite_core.index.read import Index, Match
    from pincite_core.index.write import IndexContent, write_index
    from pincite_core.search.bm25 import TermWeights

# Questions already run in parallel, so multithreaded BLAS only doubles the processor time of a search. The variable
# must be set before numpy is first imported. torch and onnxruntime ignore it.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

__all__ = (
    "DEFAULT_MODEL",
    "Embedder",
    "Index",
    "IndexContent",
    "Match",
    "PinciteError",
    "TermWeights",
    "__version__",
    "load_embedder",
    "write_index",
)

_MODULES = {
    "DEFAULT_MODEL": "embedders",
    "Embedder": "embedders",
    "Index": "index.read",
    "IndexContent": "index.write",
    "Match": "index.read",
    "PinciteError": "errors",
    "TermWeights": "search.bm25",
    "load_embedder": "embedders",
    "write_index": "index.write",
}


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
