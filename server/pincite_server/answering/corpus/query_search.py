"""Search for the queries of a query plan, and fuse the results of several searches into one ranking."""

from collections.abc import Sequence

from pincite_core.search.fusion import fuse_by_rank
from pincite_core.search.query import parse_query
from pincite_core.search.ranking import RankedSection
from pincite_server.answering.corpus.corpus_evidence import judge_evidence
from pincite_server.answering.generation import QuerySearch
from pincite_server.answering.retrieve import retrieve_candidates
from pincite_server.question.resolve import ResolvedQuestion

__all__ = ("fused_sections", "search_query")


def search_query(resolved: ResolvedQuestion, query: str) -> QuerySearch:
    """Search a question's scope for one query of its query plan."""
    answerer, scope = resolved.answerer, resolved.scope
    with resolved.clock.stage("plan_searches"):
        parsed = parse_query(query, resolved.query.language)
        found = retrieve_candidates(answerer, answerer.encode(parsed.text), parsed, scope)
        evidence = judge_evidence(found.signals, answerer.calibration_of(scope.scope_ids), answerer.policy)
    return QuerySearch(query, found.sections, evidence.value)


def fused_sections(searches: Sequence[QuerySearch]) -> tuple[RankedSection, ...]:
    """Return the sections of several searches, ordered by reciprocal rank fusion.

    A section that several searches found is returned as found by the search that ranks it highest.
    """
    ranked: dict[int, tuple[int, RankedSection]] = {}
    for search in searches:
        for rank, section in enumerate(search.sections):
            if section.target_id not in ranked or rank < ranked[section.target_id][0]:
                ranked[section.target_id] = (rank, section)
    order = fuse_by_rank([section.target_id for section in search.sections] for search in searches)
    return tuple(ranked[target_id][1] for target_id in order)
