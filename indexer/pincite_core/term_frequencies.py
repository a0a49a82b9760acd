"""In how many chunks a term occurs: asked of FTS5 once, since it counts a common term chunk by chunk."""

from collections.abc import Callable
from typing import Any, NamedTuple

__all__ = ("Frequency", "TermFrequencies")

_VOCABULARIES = tuple(
    f"CREATE VIRTUAL TABLE IF NOT EXISTS temp.vocabulary_{kind} USING fts5vocab(main, chunk_terms, {kind})"
    for kind in ("row", "col")
)
_MOST_KEPT = 20_000  # terms, some megabytes; readers ask with a few thousand words


class Frequency(NamedTuple):
    """The number of chunks that hold a term in any column, and in each that holds it."""

    chunks: int
    by_column: dict[str, int]


class TermFrequencies:
    """Counts of one index, kept once they are read.

    Args:
        rows: Runs SQL with its values on the calling thread's connection and returns all rows.
    """

    def __init__(self, rows: Callable[[str, tuple[Any, ...]], list[tuple[Any, ...]]]) -> None:
        self._rows = rows
        self._known: dict[str, Frequency] = {}

    def of(self, term: str) -> Frequency:
        """Return the counts of a term, zeros for one that never occurs."""
        found = self._known.get(term)
        if found is None:
            if len(self._known) >= _MOST_KEPT:
                self._known.clear()
            found = self._known[term] = self._read(term)
        return found

    def _read(self, term: str) -> Frequency:
        for statement in _VOCABULARIES:  # each thread's connection has temporary tables of its own
            self._rows(statement, ())
        whole = self._rows("SELECT doc FROM temp.vocabulary_row WHERE term = ?", (term,))
        columns = self._rows("SELECT col, doc FROM temp.vocabulary_col WHERE term = ?", (term,))
        return Frequency(whole[0][0] if whole else 0, dict(columns))
