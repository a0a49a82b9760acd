"""Full-text search over `chunk_terms`: what FTS5 is asked, and what it answers."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = ("EVEN_WEIGHTS", "TermScores", "TermWeights", "runs_of_chunks", "telling_terms", "terms_query")

_MOST_RUNS = 50  # SQLite nests a condition a run, a thousand at most, and tests each row against all of them
_SCORED = np.dtype([("row_id", np.int64), ("score", np.float64)])


class TermWeights(NamedTuple):
    """BM25 weight of each full-text column."""

    body: float = 1.0
    headings: float = 1.0
    page: float = 1.0
    links: float = 1.0
    code: float = 1.0


EVEN_WEIGHTS = TermWeights()


class TermScores(NamedTuple):
    """Chunks, by row id, and their BM25 scores (higher is better)."""

    row_ids: npt.NDArray[np.int64]
    scores: npt.NDArray[np.float64]

    @classmethod
    def of(cls, rows: Iterable[tuple[int, float]]) -> "TermScores":
        """Return the scores of (row id, score) pairs in ascending order of row ids."""
        scored = np.fromiter(rows, dtype=_SCORED)
        return cls(scored["row_id"], scored["score"])

    def only(self, wanted: npt.NDArray[np.bool_]) -> "TermScores":
        """Return those that are wanted."""
        return TermScores(self.row_ids[wanted], self.scores[wanted])

    def best(self, k: int) -> "TermScores":
        """Return the `k` best, best first, the earlier chunk first among equals."""
        order = np.argsort(-self.scores, kind="stable")[:k]
        return TermScores(self.row_ids[order], self.scores[order])

    def of_chunks(self, chunk_ids: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        """Return the score of each of some chunks, ascending; NaN for one that holds no term."""
        column = np.full(len(chunk_ids), np.nan)
        here = np.isin(chunk_ids, self.row_ids, assume_unique=True)
        column[here] = self.scores[np.searchsorted(self.row_ids, chunk_ids[here])]
        return column


def runs_of_chunks(chunk_ids: npt.NDArray[np.int32]) -> list[tuple[int, int]]:
    """Return the (first, last) of each run of consecutive ids, the nearest ones joined when they are many."""
    if not chunk_ids.size:
        return []
    steps = np.diff(chunk_ids)
    cuts = np.argsort(-steps, kind="stable")[: _MOST_RUNS - 1]
    cuts = np.sort(cuts[steps[cuts] > 1])
    firsts, lasts = np.append(0, cuts + 1), np.append(cuts, len(chunk_ids) - 1)
    return list(zip(chunk_ids[firsts].tolist(), chunk_ids[lasts].tolist(), strict=True))


def telling_terms(frequencies: Mapping[str, Mapping[str, int]], weights: TermWeights, chunks: int) -> tuple[str, ...]:
    """Return the terms that weigh anything: those that at most half of the chunks have in one of the weighted columns.

    FTS5's BM25 gives every other one a millionth, while each of its chunks takes as long as any. All stay where none
    would.

    Args:
        frequencies: In how many chunks each column has a term, by term.
        weights: The columns' weights.
        chunks: How many chunks there are.
    """
    columns = [name for name, weight in zip(weights._fields, weights, strict=True) if weight]
    telling = [term for term, found in frequencies.items() if any(found.get(name, 0) * 2 <= chunks for name in columns)]
    return tuple(telling or frequencies)


def terms_query(terms: Sequence[str], runs: Sequence[tuple[int, int]], weights: TermWeights) -> tuple[str, str] | None:
    """Return the SQL and its one value that score the chunks of some runs; None when nothing could be found.

    Scores count rarity over the whole index, whatever the runs. FTS5 steps through the range of all runs by itself;
    the `+` keeps it from looking rows up one after the other.
    """
    match = _match_expression(terms, weights)
    if not match or not runs:
        return None
    within = " OR ".join(f"+rowid BETWEEN {first} AND {last}" for first, last in runs)
    bm25 = f"-bm25(chunk_terms, {', '.join(str(float(weight)) for weight in weights)})"
    return (
        f"SELECT rowid, {bm25} FROM chunk_terms WHERE chunk_terms MATCH ? "
        f"AND rowid BETWEEN {runs[0][0]} AND {runs[-1][1]} AND ({within}) ORDER BY rowid"
    ), match


def _match_expression(terms: Sequence[str], weights: TermWeights) -> str:
    """Return what FTS5 is to match: any of the terms in any column that has a weight; empty when nothing could."""
    columns = [name for name, weight in zip(weights._fields, weights, strict=True) if weight]
    if not terms or not columns:
        return ""
    quoted = " OR ".join('"{}"'.format(term.replace('"', '""')) for term in dict.fromkeys(terms))
    return f"{{{' '.join(columns)}}} : ({quoted})"
