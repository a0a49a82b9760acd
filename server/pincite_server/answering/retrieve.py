"""Stage 2: the sections of a scope that may answer a question."""

from dataclasses import replace

from pincite_core.embedders import Encoded
from pincite_core.search.query import Query
from pincite_core.search.ranking import SearchResult, search
from pincite_server.answerer import Answerer
from pincite_server.answering.question import ChosenScope
from pincite_server.answering.spoken_to import sections_for_readers

__all__ = ("SECTIONS", "retrieve")

SECTIONS = 8  # five are cited at most; a few more let the composer choose


def retrieve(
    answerer: Answerer, encoded: Encoded, query: Query, scope: ChosenScope, sections: int = SECTIONS
) -> SearchResult:
    """Return the best sections of the scope with the search's signals; what addresses an assistant is left out."""
    found = search(answerer.index, encoded.vector, query, scope.scope_ids, sections, query_tokens=encoded.tokens)
    return replace(found, sections=sections_for_readers(answerer.index, found.sections, query.text))
