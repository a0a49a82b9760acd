"""Stage 2, retrieval: find the sections of a scope that may answer a question."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from pincite_core.embedders import Encoded
from pincite_core.rules import QUESTION
from pincite_core.search.query import Query
from pincite_core.search.ranking import RankedSection, SearchResult, search
from pincite_server.answerer import Answerer
from pincite_server.answering.injection_filter import readable_sections
from pincite_server.question.scope import ChosenScope

__all__ = ("SECTIONS", "retrieve", "retrieve_candidates", "retrieve_distinct")

SECTIONS = QUESTION.sections


def retrieve(
    answerer: Answerer, encoded: Encoded, query: Query, scope: ChosenScope, sections: int = SECTIONS
) -> SearchResult:
    """Return the best sections of a scope with the search's signals, without text that addresses an AI assistant."""
    found = _search(answerer, encoded, query, scope, sections)
    return replace(found, sections=readable_sections(answerer.index, found.sections, query.text))


def retrieve_distinct(answerer: Answerer, encoded: Encoded, query: Query, scope: ChosenScope) -> SearchResult:
    """Return the best sections for a quoted answer; of sections with identical best chunks only the first."""
    found = retrieve_candidates(answerer, encoded, query, scope)
    return replace(found, sections=readable_sections(answerer.index, found.sections[:SECTIONS], query.text))


def retrieve_candidates(answerer: Answerer, encoded: Encoded, query: Query, scope: ChosenScope) -> SearchResult:
    """Return up to 24 distinct sections, including text that addresses an AI assistant."""
    found = _search(answerer, encoded, query, scope, QUESTION.candidates)
    return replace(found, sections=tuple(_without_repeats(found.sections)))


def _search(answerer: Answerer, encoded: Encoded, query: Query, scope: ChosenScope, sections: int) -> SearchResult:
    return search(answerer.index, encoded.vector, query, scope.scope_ids, sections, query_tokens=encoded.tokens)


def _without_repeats(sections: Iterable[RankedSection]) -> Iterator[RankedSection]:
    said: set[str] = set()
    for section in sections:
        if section.chunk.text not in said:
            said.add(section.chunk.text)
            yield section
