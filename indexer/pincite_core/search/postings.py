"""Postings of search terms: packs them for storage and unpacks them.

A term has one array of chunks, and one array of counts per column. BM25 therefore works on whole arrays, and any
database that stores bytes can store the postings.
"""

from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt

__all__ = ("COLUMNS", "ChunkTerms", "PackedPostings", "Postings", "pack_postings")

COLUMNS = ("body", "headings", "page", "links", "code")
"""The columns of a chunk in which terms are counted, in order."""

_WIDTH = 8  # chunk id * 8 + column encodes an occurrence as one number
_ROW_IDS = np.dtype("<i4")
_COUNTS = np.dtype("<u2")


class ChunkTerms(NamedTuple):
    """The terms of a chunk; each column is a string of terms separated by spaces, and `chunk_id` is the row id."""

    chunk_id: int
    body: str
    headings: str
    page: str
    links: str
    code: str


class PackedPostings(NamedTuple):
    """Stored form of a term's postings: document frequency, chunk ids, and counts by column.

    A column is None if the term does not occur in it.
    """

    term: str
    chunks: int
    chunk_ids: bytes
    body: bytes | None
    headings: bytes | None
    page: bytes | None
    links: bytes | None
    code: bytes | None


class Postings(NamedTuple):
    """The chunks that contain a term, ascending, with counts by column of shape (n, len(COLUMNS))."""

    row_ids: npt.NDArray[np.int32]
    counts: npt.NDArray[np.uint16]

    @classmethod
    def none(cls) -> Self:
        """Return the postings of a term that never occurs."""
        return cls(np.zeros(0, dtype=_ROW_IDS), np.zeros((0, len(COLUMNS)), dtype=_COUNTS))

    @classmethod
    def unpacked(cls, chunk_ids: bytes, columns: Sequence[bytes | None]) -> Self:
        """Unpack the stored postings of a term.

        Raises:
            ValueError: The arrays are truncated or differ in length, or the chunks are not ascending.
        """
        row_ids = np.frombuffer(chunk_ids, dtype=_ROW_IDS)
        counts = np.zeros((len(row_ids), len(COLUMNS)), dtype=_COUNTS)
        for number, stored in enumerate(columns):
            if stored is not None:
                counts[:, number] = np.frombuffer(stored, dtype=_COUNTS)
        if (np.diff(row_ids, prepend=0) <= 0).any():
            message = "chunks out of order"
            raise ValueError(message)
        return cls(row_ids, counts)

    def only(self, wanted: npt.NDArray[np.bool_]) -> "Postings":
        """Return the postings of the chunks selected by a mask, shape (n,)."""
        return Postings(self.row_ids[wanted], self.counts[wanted])

    def between(self, first: int, end: int) -> "Postings":
        """Return the postings of the chunks with `first` <= row id < `end`, as views."""
        low, high = np.searchsorted(self.row_ids, np.array([first, end], dtype=self.row_ids.dtype))
        return Postings(self.row_ids[low:high], self.counts[low:high])


def pack_postings(rows: Iterable[ChunkTerms]) -> Iterator[PackedPostings]:
    """Yield the packed postings of every term of the given chunks, in order of terms."""
    occurrences: defaultdict[str, array[int]] = defaultdict(lambda: array("q"))
    for row in rows:
        for number, text in enumerate(row[1:]):
            for term in text.split():
                occurrences[term].append(row.chunk_id * _WIDTH + number)
    for term in sorted(occurrences):
        yield _packed(term, np.frombuffer(occurrences.pop(term), dtype=np.int64))


def _packed(term: str, occurrences: npt.NDArray[np.int64]) -> PackedPostings:
    places, counts = np.unique(occurrences, return_counts=True)
    row_ids, rows = np.unique(places // _WIDTH, return_inverse=True)
    table = np.zeros((len(COLUMNS), len(row_ids)), dtype=_COUNTS)
    table[places % _WIDTH, rows] = np.minimum(counts, np.iinfo(_COUNTS).max)
    columns = (column.tobytes() if column.any() else None for column in table)
    return PackedPostings(term, len(row_ids), row_ids.astype(_ROW_IDS).tobytes(), *columns)
