"""Where each term of the full-text index occurs: read from FTS5 once, kept in memory, and scored there.

FTS5 walks through all of a common term's chunks at every query, once for each column that is asked for alone. Kept as
arrays, the terms that readers use are scored in a twentieth of that time; the scores are those of FTS5's `bm25`.
"""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = ("COLUMNS", "Postings", "TermPostings")

COLUMNS = ("body", "headings", "page", "links", "code")
"""The columns of `chunk_terms`, in order."""

_VOCABULARY = "CREATE VIRTUAL TABLE IF NOT EXISTS temp.occurrences USING fts5vocab(main, chunk_terms, instance)"
_TERMS = "CREATE VIRTUAL TABLE IF NOT EXISTS temp.terms USING fts5vocab(main, chunk_terms, row)"
_WIDTH = 8  # a chunk and a column in one number
_OCCURRENCES = (
    f"SELECT doc * {_WIDTH} + CASE col "
    + " ".join(f"WHEN '{name}' THEN {number}" for number, name in enumerate(COLUMNS))
    + " END FROM temp.occurrences WHERE term = ?"
)
_MOST_KEPT = 2_000_000  # chunks of all terms together, 28 MB; an index of 5,000 chunks has a quarter of a million

Counts = npt.NDArray[np.uint16]
RowIds = npt.NDArray[np.int64]


class Postings(NamedTuple):
    """The chunks that hold a term, ascending, and how often in each column: shape (n, len(COLUMNS))."""

    row_ids: RowIds
    counts: Counts


class TermPostings:
    """The postings of one index.

    Args:
        rows: Runs SQL with its values on the calling thread's connection and returns all rows.
    """

    def __init__(self, rows: Callable[[str, tuple[Any, ...]], list[tuple[Any, ...]]]) -> None:
        self._rows = rows
        self._known: dict[str, Postings] = {}
        self._kept = 0

    def of(self, term: str) -> Postings:
        """Return the postings of a term, empty for one that never occurs."""
        found = self._known.get(term)
        if found is None:
            found = _postings(self._read(term))
            if self._kept + len(found.row_ids) > _MOST_KEPT:
                self._known, self._kept = {}, 0
            self._known[term] = found
            self._kept += len(found.row_ids) + 1
        return found

    def vocabulary(self) -> dict[str, int]:
        """Return every term that is a word in Latin letters, and how many chunks hold it."""
        self._rows(_TERMS, ())
        rows = self._rows("SELECT term, doc FROM temp.terms", ())
        return {term: chunks for term, chunks in rows if term.isascii() and term.isalpha()}

    def lengths(self) -> dict[int, int]:
        """Return the number of terms of each chunk, repeats and all columns counted, by its row id.

        Raises:
            ValueError: FTS5's own table of them is damaged.
        """
        rows = self._rows("SELECT id, sz FROM chunk_terms_docsize ORDER BY id", ())
        sizes = _varints(row[1] for row in rows).reshape(len(rows), len(COLUMNS)).sum(axis=1)
        return dict(zip((row[0] for row in rows), sizes.tolist(), strict=True))

    def _read(self, term: str) -> RowIds:
        self._rows(_VOCABULARY, ())  # each thread's connection has temporary tables of its own
        return np.fromiter((row[0] for row in self._rows(_OCCURRENCES, (term,))), dtype=np.int64)


def _postings(occurrences: RowIds) -> Postings:
    places, counts = np.unique(occurrences, return_counts=True)
    row_ids, rows = np.unique(places // _WIDTH, return_inverse=True)
    table: Counts = np.zeros((len(row_ids), len(COLUMNS)), dtype=np.uint16)
    table[rows, places % _WIDTH] = np.minimum(counts, np.iinfo(np.uint16).max)
    return Postings(row_ids, table)


def _varints(blobs: Iterable[bytes]) -> npt.NDArray[np.int64]:
    """Return the numbers in SQLite's encoding: seven bits a byte, the highest first, the last byte below 128."""
    data = np.frombuffer(b"".join(blobs), dtype=np.uint8)
    ends = np.flatnonzero(data < 0x80)
    starts = np.append(0, ends[:-1] + 1)[: len(ends)]
    values = np.zeros(len(ends), dtype=np.int64)
    for offset in range(int((ends - starts).max(initial=-1)) + 1):
        more = starts + offset <= ends
        values[more] = (values[more] << 7) | (data[starts[more] + offset] & 0x7F)
    return values
