"""Stage 2: the sections of a scope that may answer a question."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from pincite_core.embedders import Encoded
from pincite_core.search.query import Query
from pincite_core.search.ranking import RankedSection, SearchResult, search
from pincite_server.answerer import Answerer
from pincite_server.answering.spoken_to import sections_for_readers
from pincite_server.question.scope import ChosenScope

__all__ = ("SECTIONS", "retrieve", "retrieve_candidates", "retrieve_distinct")

SECTIONS = 8  # five are cited at most; a few more let the composer choose
_CANDIDATES = 24  # three times as many: what each command's page says of an option in the same words is one of them


def retrieve(
    answerer: Answerer, encoded: Encoded, query: Query, scope: ChosenScope, sections: int = SECTIONS
) -> SearchResult:
    """Return the best sections of the scope with the search's signals; what addresses an assistant is left out."""
    found = _search(answerer, encoded, query, scope, sections)
    return replace(found, sections=sections_for_readers(answerer.index, found.sections, query.text))


def retrieve_distinct(answerer: Answerer, encoded: Encoded, query: Query, scope: ChosenScope) -> SearchResult:
    """Return the same for a quoted answer: of sections whose best parts are the same words, the best one alone."""
    found = retrieve_candidates(answerer, encoded, query, scope)
    return replace(found, sections=sections_for_readers(answerer.index, found.sections[:SECTIONS], query.text))


def retrieve_candidates(answerer: Answerer, encoded: Encoded, query: Query, scope: ChosenScope) -> SearchResult:
    """Return up to 24 distinct sections as they were found: what addresses an assistant is still among them."""
    found = _search(answerer, encoded, query, scope, _CANDIDATES)
    return replace(found, sections=tuple(_without_repeats(found.sections)))


def _search(answerer: Answerer, encoded: Encoded, query: Query, scope: ChosenScope, sections: int) -> SearchResult:
    return search(answerer.index, encoded.vector, query, scope.scope_ids, sections, query_tokens=encoded.tokens)


def _without_repeats(sections: Iterable[RankedSection]) -> Iterator[RankedSection]:
    said: set[str] = set()
    for section in sections:
        if section.chunk.text not in said:
            said.add(section.chunk.text)
            yield section
