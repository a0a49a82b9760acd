"""Write the vectors of one scope: int8 rows and packed token vectors in files of a few hundred kB, and their index."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pincite_core.index.schema import text_hash
from pincite_core.index.write import IndexContent
from pincite_core.search.late_interaction import TOKEN_BYTES
from pincite_core.types import Chunk
from pincite_indexer.browser_bundle.shard import grouped_by_size

__all__ = ("ScopeVectors", "scope_vectors")

_FILE = 300_000  # bytes: several files load in parallel, and a changed page leaves most files unchanged


@dataclass(frozen=True, slots=True)
class ScopeVectors:
    """Files of a scope's vectors.

    `places` is JSON-compatible. It holds the vector row of each part, of each unit and of each section's title, -1 for
    none. It also holds the number of tokens of each of the first rows, which belong to parts.
    """

    places: Mapping[str, object]
    vectors: tuple[bytes, ...]
    tokens: tuple[bytes, ...]


def scope_vectors(content: IndexContent, chunks: Sequence[Chunk], sections: Sequence[int]) -> ScopeVectors:
    """Return the distinct vectors of a scope, with the parts' vectors first.

    Args:
        content: All rows of the index.
        chunks: The scope's parts, in order.
        sections: The target ID of each section, in order.
    """
    rows = _Rows()
    parts = [rows.of(chunk.vector_id) for chunk in chunks]
    tokens = [content.tokens.get(vector_id, b"") for vector_id in rows.vector_ids]
    units = [list(map(rows.of, held)) for held in _units(content, chunks)]
    titles = list(map(rows.of, _title_vectors(content, sections)))
    stored = content.vectors[np.array(rows.vector_ids, dtype=np.int64) - 1]
    places = {
        "parts": parts,
        "units": units,
        "titles": titles,
        "tokens": [len(packed) // TOKEN_BYTES for packed in tokens],
    }
    return ScopeVectors(places, _files([row.tobytes() for row in stored]), _files(tokens))


class _Rows:
    """Numbering of vectors in the order of their first use."""

    def __init__(self) -> None:
        self._numbers: dict[int, int] = {}

    @property
    def vector_ids(self) -> list[int]:
        return list(self._numbers)

    def of(self, vector_id: int) -> int:
        """Return the row of a vector; -1 for the ID 0, which means no vector."""
        return self._numbers.setdefault(vector_id, len(self._numbers)) if vector_id else -1


def _units(content: IndexContent, chunks: Sequence[Chunk]) -> Iterator[list[int]]:
    """Yield the vector IDs of each part's units, in text order."""
    held: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    for unit in content.units:
        held[unit.chunk_id].append((unit.start, unit.vector_id))
    for chunk in chunks:
        yield [vector_id for _, vector_id in sorted(held[chunk.chunk_id], key=lambda unit: unit[0])]


def _title_vectors(content: IndexContent, sections: Sequence[int]) -> Iterator[int]:
    by_hash = {digest: number for number, digest in enumerate(content.text_hashes, start=1)}
    titles = {target.target_id: target.title for target in content.targets}
    for target_id in sections:
        yield by_hash.get(text_hash(titles[target_id]), 0)


def _files(rows: Sequence[bytes]) -> tuple[bytes, ...]:
    return tuple(filter(None, map(b"".join, grouped_by_size(rows, _FILE, len))))  # none without token vectors
