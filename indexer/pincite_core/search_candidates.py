"""Every ranker's candidates for a query, and each candidate's score by every ranker."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pincite_core.quantise import cosines
from pincite_core.read import Index, Match, TermWeights
from pincite_core.search_fusion import Scores
from pincite_core.search_query import Query
from pincite_core.types import Chunk, Sentence

__all__ = ("Candidates", "gather_candidates")

# Enough that what one ranker puts first is scored by all of them; more costs time and changes no first place.
_CHUNKS = 100
_SENTENCES = 120
_COLUMNS = {
    "body": TermWeights(1, 0, 0, 0, 0),
    "headings": TermWeights(0, 1, 0, 0, 0),
    "page": TermWeights(0, 0, 1, 0, 0),
    "links": TermWeights(0, 0, 0, 1, 0),
}
_CODE = TermWeights(0, 0, 0, 0, 1)


@dataclass(frozen=True, slots=True)
class Candidates:
    """Chunks that any ranker found, their scores, and the sentences whose vectors are near the query.

    `scores` maps a ranker to one score a chunk, in the order of `chunks`; `sentences` is best first.
    """

    chunks: tuple[Chunk, ...]
    scores: dict[str, Scores]
    sentences: tuple[tuple[Sentence, float], ...]


def gather_candidates(
    index: Index, query_vector: npt.NDArray[np.float32], query: Query, scope_ids: Sequence[int]
) -> Candidates:
    """Ask every ranker and line up their answers by chunk.

    Args:
        index: The index to search.
        query_vector: The query's unit vector, shape (dimension,).
        query: The parsed query.
        scope_ids: The only scopes that may be found.
    """
    dense = index.nearest_chunks(query_vector, scope_ids, _CHUNKS)
    sentences = _near_sentences(index, query_vector, scope_ids)
    matches = {"dense": dense, "sentence": _best_by_chunk(sentences), **_term_matches(index, query, scope_ids)}
    chunk_ids = sorted({match.row_id for found in matches.values() for match in found})
    chunks = index.chunks_by_id(chunk_ids)
    rows = {chunk_id: row for row, chunk_id in enumerate(chunk_ids)}
    scores = {name: _column(found, rows) for name, found in matches.items()}
    ordered = tuple(chunks[chunk_id] for chunk_id in chunk_ids)
    if ordered:
        scores["dense"] = _cosines(index, query_vector, ordered)
    return Candidates(ordered, scores, sentences)


def _term_matches(index: Index, query: Query, scope_ids: Sequence[int]) -> dict[str, list[Match]]:
    found = {name: index.match_terms(query.terms, scope_ids, _CHUNKS, weights) for name, weights in _COLUMNS.items()}
    found["code"] = index.match_terms(query.code, scope_ids, _CHUNKS, _CODE)
    return found


def _near_sentences(
    index: Index, query_vector: npt.NDArray[np.float32], scope_ids: Sequence[int]
) -> tuple[tuple[Sentence, float], ...]:
    matches = index.nearest_sentences(query_vector, scope_ids, _SENTENCES)
    rows = index.sentences_by_id(match.row_id for match in matches)
    return tuple((rows[match.row_id], match.score) for match in matches)


def _best_by_chunk(sentences: Sequence[tuple[Sentence, float]]) -> list[Match]:
    best: dict[int, float] = {}
    for sentence, score in sentences:
        best.setdefault(sentence.chunk_id, score)
    return [Match(chunk_id, score) for chunk_id, score in best.items()]


def _column(matches: Sequence[Match], rows: dict[int, int]) -> Scores:
    scores = np.full(len(rows), np.nan)
    for match in matches:
        scores[rows[match.row_id]] = match.score
    return scores


def _cosines(index: Index, query_vector: npt.NDArray[np.float32], chunks: Sequence[Chunk]) -> Scores:
    return cosines(query_vector, index.vectors([chunk.vector_id for chunk in chunks])).astype(np.float64)
