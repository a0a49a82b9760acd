"""The vectors of one scope: int8 rows and packed tokens in files of a few hundred kB, and whose they are."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pincite_core.index.text_hash import text_hash
from pincite_core.index.write import IndexContent
from pincite_core.search.late_interaction import TOKEN_BYTES
from pincite_core.types import Chunk

__all__ = ("ScopeVectors", "scope_vectors")

_FILE = 300_000  # bytes: several load at once, and a page that changes leaves most of them as they were


@dataclass(frozen=True, slots=True)
class ScopeVectors:
    """What is written of a scope's vectors.

    `places` is JSON: the row of each part's vector, of each of its units' and of each section's title, -1 for none; and
    how many tokens each of the first rows has, which are those of parts.
    """

    places: Mapping[str, object]
    vectors: tuple[bytes, ...]
    tokens: tuple[bytes, ...]


def scope_vectors(content: IndexContent, chunks: Sequence[Chunk], sections: Sequence[int]) -> ScopeVectors:
    """Return the vectors of a scope, each distinct one once, those of parts first.

    Args:
        content: All rows of the index.
        chunks: The scope's parts, in order.
        sections: The target of each of its sections, in order.
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
    return ScopeVectors(places, tuple(_cut([row.tobytes() for row in stored])), tuple(_cut(tokens)))


class _Rows:
    """Numbers vectors in the order in which they are asked for."""

    def __init__(self) -> None:
        self._numbers: dict[int, int] = {}

    @property
    def vector_ids(self) -> list[int]:
        return list(self._numbers)

    def of(self, vector_id: int) -> int:
        """Return the row of a vector, -1 for none (0)."""
        return self._numbers.setdefault(vector_id, len(self._numbers)) if vector_id else -1


def _units(content: IndexContent, chunks: Sequence[Chunk]) -> Iterator[list[int]]:
    """Yield the vector ids of each part's units, as they stand in its text."""
    held: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    for sentence in content.sentences:
        held[sentence.chunk_id].append((sentence.start, sentence.vector_id))
    for chunk in chunks:
        yield [vector_id for _, vector_id in sorted(held[chunk.chunk_id], key=lambda unit: unit[0])]


def _title_vectors(content: IndexContent, sections: Sequence[int]) -> Iterator[int]:
    by_hash = {digest: number for number, digest in enumerate(content.text_hashes, start=1)}
    titles = {target.target_id: target.title for target in content.targets}
    for target_id in sections:
        yield by_hash.get(text_hash(titles[target_id]), 0)


def _cut(rows: Sequence[bytes]) -> Iterator[bytes]:
    """Yield rows one after the other in files of about a size."""
    file: list[bytes] = []
    size = 0
    for row in rows:
        file.append(row)
        size += len(row)
        if size >= _FILE:
            yield b"".join(file)
            file, size = [], 0
    if size:
        yield b"".join(file)
