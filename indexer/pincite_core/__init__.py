"""The index file and what both sides need to speak of it; imports neither the indexer nor the sidecar."""

from pincite_core.embedders import DEFAULT_MODEL, Embedder, load_embedder
from pincite_core.errors import PinciteError
from pincite_core.read import Index, Match, TermWeights
from pincite_core.version import __version__
from pincite_core.write import IndexContent, write_index

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
