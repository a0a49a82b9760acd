"""Hybrid search over an index: fuses dense and lexical scores and groups the results by section.

The caller embeds the query. The indexer can therefore use this search for calibration, and the sidecar for answers.
"""

import math
from collections.abc import Sequence, Set
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pincite_core.index.read import Index
from pincite_core.search.candidates import BODY, Candidates, gather_candidates
from pincite_core.search.evidence import EvidenceSignals
from pincite_core.search.fusion import FIRST_PLACE, OTHER_PLACES, SAME_COSINE, FusionWeights, Scores, fuse_by_score
from pincite_core.search.late_interaction import TokenVectors
from pincite_core.search.priors import priors
from pincite_core.search.query import Query
from pincite_core.search.query_expansion import correct_spelling, split_compounds
from pincite_core.search.term_matching import drop_chance_bigrams, matched_terms
from pincite_core.types import Chunk, Unit

__all__ = ("BM25_SATURATION", "NAMED_BONUS", "SECTIONS_FOR_COVERAGE", "TOP", "RankedSection", "SearchResult", "search")

SECTIONS_FOR_COVERAGE = 3
"""The number of best sections whose terms count for coverage; an answer uses about that many."""

NAMED_BONUS = 0.3
"""Added to the score of a chunk that contains a code with digits from the query, such as HQ-1202."""

TOP = 5
"""The number of best chunks whose mean cosine is a signal of evidence."""

BM25_SATURATION = 2.2
"""The maximum BM25 contribution of one term, in units of its idf: k1 + 1 with SQLite's k1 = 1.2."""


@dataclass(frozen=True, slots=True)
class RankedSection:
    """A section in the search results.

    Attributes:
        target_id: The section.
        landing_id: The innermost target to link to.
        chunk: The section's best chunk.
        unit: The chunk's nearest unit; None if the chunk contains only code.
        score: The fused score, 0 to 1.
        cosine: The cosine of the chunk.
    """

    target_id: int
    landing_id: int
    chunk: Chunk
    unit: Unit | None
    score: float
    cosine: float


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The result of a search.

    Attributes:
        query: The query after compound splitting.
        sections: The sections, best first.
        signals: The evidence signals of the search.
        idf: The inverse document frequency (idf) of each term of the query.
        z_score: The z-score of the nearest chunk's cosine among the candidates.
    """

    query: Query
    sections: tuple[RankedSection, ...]
    signals: EvidenceSignals
    idf: dict[str, float]
    z_score: float

    def share_of_query(self, matched: Set[str]) -> float:
        """Return the share of the query that the given terms make up, weighted by idf: 0 to 1."""
        return _coverage(self.idf, matched)


def search(
    index: Index,
    query_vector: npt.NDArray[np.float32],
    query: Query,
    scope_ids: Sequence[int],
    k: int,
    weights: FusionWeights | None = None,
    query_tokens: TokenVectors | None = None,
) -> SearchResult:
    """Return the `k` best sections for a query within the given scopes.

    Args:
        index: The index to search.
        query_vector: The query's unit vector, float32, shape (dimension,).
        query: The parsed query.
        scope_ids: The scopes to search.
        k: The maximum number of sections.
        weights: The weight of each ranker; None for `FIRST_PLACE` and `OTHER_PLACES`.
        query_tokens: The vectors of the query's tokens; None to search without late interaction.
    """
    query = split_compounds(index, query, scope_ids)
    corrected = correct_spelling(index, query, scope_ids)
    candidates = gather_candidates(index, query_vector, corrected, scope_ids, query_tokens)
    if not candidates.chunks:
        return SearchResult(query, (), EvidenceSignals.uniform(0.0), {}, 0.0)
    fused, leader = _fuse(index, candidates, query, corrected, scope_ids, weights)
    sections = _group(index, candidates, fused, max(k, SECTIONS_FOR_COVERAGE), leader)
    idf = _idf(index, query.terms, scope_ids)
    body = candidates.scores["body"] if corrected == query else index.score_terms(query.terms, scope_ids, BODY).scores
    signals = _signals(index, candidates, query, idf, sections[:SECTIONS_FOR_COVERAGE], body, scope_ids)
    return SearchResult(query, sections[:k], signals, idf, _z_score(candidates.scores["dense"]))


def _fuse(
    index: Index,
    candidates: Candidates,
    query: Query,
    corrected: Query,
    scope_ids: Sequence[int],
    weights: FusionWeights | None,
) -> tuple[Scores, int]:
    """Return the candidates' fused scores, 0 to 1, and the row of the leader, whose score is raised to the maximum."""
    # Normalised BM25 hides a weak best match, so lexical weights scale with the share of terms in the best chunk.
    vectors = index.language_profile(scope_ids).vectors
    share = max(index.max_matched_share(_idf(index, corrected.terms, scope_ids), scope_ids), 1.0 - vectors)
    prior = priors(index, candidates.chunks, query)

    def fuse(weights: FusionWeights) -> Scores:
        scaled = weights.trusting_vectors(vectors).trusting_words(share)
        fused = fuse_by_score(candidates.scores, scaled, vectors) * prior
        return np.minimum(1.0, fused + NAMED_BONUS * candidates.named)

    fused = fuse(weights or OTHER_PLACES)
    leader = int(fuse(weights or FIRST_PLACE).argmax())
    fused[leader] = fused.max()
    return fused, leader


def _z_score(dense: Scores) -> float:
    """Return the z-score of the highest cosine among the candidates; 0 if all cosines are equal."""
    deviation = float(dense.std())
    return float(dense.max() - dense.mean()) / deviation if deviation > SAME_COSINE else 0.0


def _group(index: Index, candidates: Candidates, fused: Scores, k: int, leader: int) -> tuple[RankedSection, ...]:
    """Keep the best chunk of each section, the leader's section first; ties go to the earlier chunk."""
    best = {candidates.chunks[leader].target_id: leader}
    for row in np.argsort(-fused, kind="stable"):
        if len(best) == k:
            break
        best.setdefault(candidates.chunks[row].target_id, int(row))
    units = index.units_by_id(candidates.nearest[row] for row in best.values())
    return tuple(
        _section(candidates, row, float(fused[row]), units.get(candidates.nearest[row])) for row in best.values()
    )


def _section(candidates: Candidates, row: int, score: float, unit: Unit | None) -> RankedSection:
    chunk = candidates.chunks[row]
    cosine = float(candidates.scores["dense"][row])
    nearer = unit is not None and float(candidates.scores["sentence"][row]) >= cosine
    landing = unit.target_id if unit is not None and nearer else chunk.target_id
    return RankedSection(chunk.target_id, landing, chunk, unit, score, cosine)


def _signals(
    index: Index,
    candidates: Candidates,
    query: Query,
    idf: dict[str, float],
    best: Sequence[RankedSection],
    body: Scores,
    scope_ids: Sequence[int],
) -> EvidenceSignals:
    matched = _matched(index, best, query)
    dense = np.sort(candidates.scores["dense"])[::-1]
    return EvidenceSignals(
        best_chunk=float(dense[0]),
        best_sentence=float(np.nanmax(candidates.scores["sentence"], initial=0.0)),
        top5_mean=float(dense[:TOP].mean()),
        coverage=_coverage(idf, matched),
        bm25=_bm25_share(body, idf),
        unknown_name=_unknown_name(query, idf, matched, index.corpus_size(scope_ids)),
    )


def _idf(index: Index, query_terms: Sequence[str], scope_ids: Sequence[int]) -> dict[str, float]:
    """Return the inverse document frequency of each term; a term absent from the language's pages has the highest."""
    found, corpus_size = index.document_frequencies(query_terms, scope_ids), index.corpus_size(scope_ids)
    return {term: _inverse_frequency(corpus_size, found.get(term, 0)) for term in query_terms}


def _inverse_frequency(corpus_size: int, chunks: int) -> float:
    return math.log(1 + corpus_size / (chunks + 0.5))


def _matched(index: Index, best: Sequence[RankedSection], query: Query) -> set[str]:
    """Return the query's terms that occur in the given sections or their headings."""
    targets = index.targets_by_id(section.target_id for section in best)
    matched: set[str] = set()
    for section in best:
        for text in (section.chunk.text, *targets[section.target_id].heading_path):
            found = matched_terms(text, {*query.terms, *query.names}, query.language)
            matched |= drop_chance_bigrams(found, query.terms, text, query.language)
    return matched


def _coverage(idf: dict[str, float], matched: Set[str]) -> float:
    total = sum(idf.values())  # in the query's order: set order varies by process and would change the rounding
    return sum(weight for term, weight in idf.items() if term in matched) / total if total else 0.0


def _unknown_name(query: Query, idf: dict[str, float], matched: set[str], corpus_size: int) -> float:
    rarest = max((idf[name] for name in query.names if name not in matched), default=0.0)
    return rarest / _inverse_frequency(corpus_size, 0)


def _bm25_share(body: Scores, idf: dict[str, float]) -> float:
    most = BM25_SATURATION * sum(idf.values())
    best = np.nanmax(body) if not np.isnan(body).all() else 0.0
    return float(min(1.0, max(0.0, best / most))) if most else 0.0
