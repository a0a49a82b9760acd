"""Candidate retrieval: collects the candidates of every ranker and scores each candidate with every ranker."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pincite_core.index.quantise import cosines
from pincite_core.index.read import Index
from pincite_core.search.bm25 import TermWeights
from pincite_core.search.fusion import Scores
from pincite_core.search.late_interaction import TokenVectors
from pincite_core.search.query import Query
from pincite_core.types import Chunk

__all__ = ("BODY", "MOST_CANDIDATES", "OF_A_PAGE", "Candidates", "gather_candidates")

# A higher limit takes more time and does not change hit@1.
MOST_CANDIDATES = 100
"""The number of candidates that each ranker contributes."""

BODY = TermWeights(1, 0, 0, 0, 0)
"""Column weights that count only the body text of a section."""

OF_A_PAGE = 3
"""The number of a page's best candidates whose mean cosine is the page's score."""

_COLUMNS = {
    "body": BODY,
    "headings": TermWeights(0, 1, 0, 0, 0),
    "page": TermWeights(0, 0, 1, 0, 0),
    "links": TermWeights(0, 0, 0, 1, 0),
}
_CODE = TermWeights(0, 0, 0, 0, 1)


@dataclass(frozen=True, slots=True)
class Candidates:
    """Chunks found by at least one ranker, with their scores.

    Attributes:
        chunks: The chunks, in ascending order of row ids.
        scores: Maps each ranker to one score per chunk, in the order of `chunks`.
        named: Mask of the chunks that contain an exact code of the query with digits, such as `HQ-1202`.
        nearest: The row id of each chunk's nearest sentence; 0 for a chunk that contains only code.
    """

    chunks: tuple[Chunk, ...]
    scores: dict[str, Scores]
    named: npt.NDArray[np.bool_]
    nearest: tuple[int, ...]


def gather_candidates(
    index: Index,
    query_vector: npt.NDArray[np.float32],
    query: Query,
    scope_ids: Sequence[int],
    query_tokens: TokenVectors | None = None,
) -> Candidates:
    """Retrieve candidates with every ranker and align their scores by chunk.

    Every ranker scores every candidate exactly. A limit per ranker would drop scores: all chunks of a page have the
    same page title, so a limit on title matches would keep only the first chunks.

    Args:
        index: The index to search.
        query_vector: The query's unit vector, shape (dimension,).
        query: The parsed query.
        scope_ids: The scopes to search.
        query_tokens: The vectors of the query's tokens; None to search without late interaction.
    """
    by_terms = {name: index.score_terms(query.terms, scope_ids, weights) for name, weights in _COLUMNS.items()}
    by_terms["code"] = index.score_terms(query.codes, scope_ids, _CODE)
    named = index.score_terms(query.codes_with_digits, scope_ids, _CODE).best(MOST_CANDIDATES).row_ids
    found = {chunk_id for scored in by_terms.values() for chunk_id in scored.best(MOST_CANDIDATES).row_ids.tolist()}
    found.update(named.tolist())
    found.update(match.row_id for match in index.nearest_chunks(query_vector, scope_ids, MOST_CANDIDATES))
    near = index.nearest_units(query_vector, scope_ids, MOST_CANDIDATES)
    found.update(index.chunks_of_units(match.row_id for match in near))
    by_id = index.chunks_by_id(found)
    chunks = tuple(by_id[chunk_id] for chunk_id in sorted(found))
    chunk_ids = np.array([chunk.chunk_id for chunk in chunks], dtype=np.int64)
    scores = {name: scored.of_chunks(chunk_ids) for name, scored in by_terms.items()}
    scores["dense"] = cosines(query_vector, index.vectors([chunk.vector_id for chunk in chunks])).astype(np.float64)
    scores["around"] = _page_means(scores["dense"], np.array([chunk.page_id for chunk in chunks], dtype=np.int64))
    scores["sentence"], nearest = _nearest_units(index, query_vector, chunk_ids)
    scores["title"] = _titles(index, query_vector, chunks)
    if query_tokens is not None:
        scores["tokens"] = index.token_similarities(query_tokens, chunks)
    return Candidates(chunks, scores, np.isin(chunk_ids, named), nearest)


def _nearest_units(
    index: Index, query_vector: npt.NDArray[np.float32], chunk_ids: npt.NDArray[np.int64]
) -> tuple[Scores, tuple[int, ...]]:
    """Return the cosine and the row id of each chunk's nearest sentence; the earlier sentence wins a tie."""
    unit_ids, chunks_of, stored = index.unit_vectors(chunk_ids)
    cosine, rows = cosines(query_vector, stored), np.searchsorted(chunk_ids, chunks_of)
    order = np.lexsort((-cosine, rows))
    rows_with_unit, firsts = np.unique(rows[order], return_index=True)
    best, nearest = np.full(len(chunk_ids), np.nan), np.zeros(len(chunk_ids), dtype=np.int64)
    best[rows_with_unit], nearest[rows_with_unit] = cosine[order[firsts]], unit_ids[order[firsts]]
    return best, tuple(nearest.tolist())


def _page_means(dense: Scores, page_ids: npt.NDArray[np.int64]) -> Scores:
    """Return, for each candidate, the mean cosine of the best `OF_A_PAGE` candidates on its page."""
    order = np.lexsort((-dense, page_ids))
    _, firsts, pages = np.unique(page_ids[order], return_index=True, return_inverse=True)
    best = np.arange(len(order)) - firsts[pages] < OF_A_PAGE
    means = np.bincount(pages, dense[order] * best) / np.bincount(pages, best)
    found = np.empty(len(order))
    found[order] = means[pages]
    return found


def _titles(index: Index, query_vector: npt.NDArray[np.float32], chunks: Sequence[Chunk]) -> Scores:
    """Return the cosine of each chunk's section title; NaN if the index has no vector for the title."""
    by_target = index.title_vectors({chunk.target_id for chunk in chunks})
    vector_ids = np.array([by_target[chunk.target_id] for chunk in chunks], dtype=np.int64)
    scores, has_one = np.full(len(chunks), np.nan), vector_ids > 0
    distinct, places = np.unique(vector_ids[has_one], return_inverse=True)
    scores[has_one] = cosines(query_vector, index.vectors(distinct))[places]
    return scores
