"""Every ranker's candidates for a query, and each candidate's score by every ranker."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pincite_core.quantise import cosines
from pincite_core.read import Index, Match, TermWeights
from pincite_core.search_fusion import Scores
from pincite_core.search_query import Query
from pincite_core.types import Chunk

__all__ = ("Candidates", "gather_candidates")

# Enough that what one ranker puts first is scored by all of them; more costs time and changes no first place.
_CHUNKS = 100
_SENTENCES = 100
_COLUMNS = {
    "body": TermWeights(1, 0, 0, 0, 0),
    "headings": TermWeights(0, 1, 0, 0, 0),
    "page": TermWeights(0, 0, 1, 0, 0),
    "links": TermWeights(0, 0, 0, 1, 0),
}
_CODE = TermWeights(0, 0, 0, 0, 1)


@dataclass(frozen=True, slots=True)
class Candidates:
    """Chunks that any ranker found, and their scores.

    `scores` maps a ranker to one score a chunk, in the order of `chunks`; `named` says which hold, letter by letter, a
    code of the query that has digits; `nearest` has the row id of each chunk's nearest sentence (0 for a chunk of code
    alone).
    """

    chunks: tuple[Chunk, ...]
    scores: dict[str, Scores]
    named: npt.NDArray[np.bool_]
    nearest: tuple[int, ...]


def gather_candidates(
    index: Index, query_vector: npt.NDArray[np.float32], query: Query, scope_ids: Sequence[int]
) -> Candidates:
    """Ask every ranker, and line up their scores by chunk.

    What any ranker found is scored exactly by all of them, so that no score is missing for being second: of a page's
    chunks, which all have the same title, a limit would keep the first.

    Args:
        index: The index to search.
        query_vector: The query's unit vector, shape (dimension,).
        query: The parsed query.
        scope_ids: The only scopes that may be found.
    """
    found = _found_by_terms(index, query, scope_ids)
    named = {match.row_id for match in index.match_terms(query.codes_with_digits, scope_ids, _CHUNKS, _CODE)}
    found.update(match.row_id for match in index.nearest_chunks(query_vector, scope_ids, _CHUNKS))
    near = index.sentences_by_id(match.row_id for match in index.nearest_sentences(query_vector, scope_ids, _SENTENCES))
    found.update(sentence.chunk_id for sentence in near.values())
    rows = {chunk_id: row for row, chunk_id in enumerate(sorted(found))}
    by_id = index.chunks_by_id(rows)
    chunks = tuple(by_id[chunk_id] for chunk_id in rows)
    scores = {name: _column(matches, rows) for name, matches in _scored_by_terms(index, query, rows).items()}
    scores["dense"] = cosines(query_vector, index.vectors([chunk.vector_id for chunk in chunks])).astype(np.float64)
    scores["sentence"], nearest = _nearest_sentences(index, query_vector, rows)
    scores["title"] = _titles(index, query_vector, chunks)
    holds = np.array([chunk.chunk_id in named for chunk in chunks], dtype=np.bool_)
    return Candidates(chunks, scores, holds, nearest)


def _found_by_terms(index: Index, query: Query, scope_ids: Sequence[int]) -> set[int]:
    found = [index.match_terms(query.terms, scope_ids, _CHUNKS, weights) for weights in _COLUMNS.values()]
    found.append(index.match_terms(query.code, scope_ids, _CHUNKS, _CODE))
    return {match.row_id for matches in found for match in matches}


def _scored_by_terms(index: Index, query: Query, chunk_ids: Iterable[int]) -> dict[str, list[Match]]:
    scored = {name: index.score_terms(query.terms, chunk_ids, weights) for name, weights in _COLUMNS.items()}
    scored["code"] = index.score_terms(query.code, chunk_ids, _CODE)
    return scored


def _nearest_sentences(
    index: Index, query_vector: npt.NDArray[np.float32], rows: dict[int, int]
) -> tuple[Scores, tuple[int, ...]]:
    """Return the cosine of each chunk's nearest sentence, and that sentence's row id."""
    sentences, stored = index.sentence_vectors(rows)
    best = np.full(len(rows), np.nan)
    nearest = [0] * len(rows)
    for (sentence_id, chunk_id), score in zip(sentences, cosines(query_vector, stored).tolist(), strict=True):
        row = rows[chunk_id]
        if not best[row] >= score:  # also true for the first, which is compared with NaN
            best[row], nearest[row] = score, sentence_id
    return best, tuple(nearest)


def _titles(index: Index, query_vector: npt.NDArray[np.float32], chunks: Sequence[Chunk]) -> Scores:
    """Return the cosine of each chunk's section title; NaN where the index has no vector of it."""
    by_target = index.titles_by_id({chunk.target_id for chunk in chunks})
    titles = [by_target[chunk.target_id] for chunk in chunks]
    vectors = index.vectors_of_texts(sorted(by_target.values()))
    if not vectors:
        return np.full(len(chunks), np.nan)
    near = dict(zip(vectors, cosines(query_vector, np.stack(list(vectors.values()))).tolist(), strict=True))
    return np.array([near.get(title, np.nan) for title in titles])


def _column(matches: Sequence[Match], rows: dict[int, int]) -> Scores:
    scores = np.full(len(rows), np.nan)
    for match in matches:
        scores[rows[match.row_id]] = match.score
    return scores
