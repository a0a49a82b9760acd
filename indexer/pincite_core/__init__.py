"""The index file and what both sides need to speak of it; imports neither the indexer nor the sidecar.

The names below are imported when they are first asked for: the processes that read pages need none of them, and
start in a third of the time without numpy.
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

# Numpy's linear algebra on several threads takes twice the processor time of a search for nothing: questions run side
# by side already. It is read when numpy is first imported; torch and onnxruntime do not heed it.
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
