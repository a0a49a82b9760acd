"""Corpus mode: the sections from which a language model writes, with citations that can point to a row or item."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pincite_core.index.read import Index
from pincite_core.search.ranking import RankedSection, SearchResult
from pincite_core.search.terms import content_terms, terms
from pincite_server.answering.citations import cite_all
from pincite_server.answering.corpus.compose import Statement
from pincite_server.answering.corpus.corpus_evidence import Evidence
from pincite_server.answering.corpus.query_search import fused_sections, search_query
from pincite_server.answering.corpus.whole_sections import MOST_SECTIONS, whole_sections
from pincite_server.answering.generation import Citer, Excerpt, QuerySearch, WholeCheck
from pincite_server.answering.injection_filter import readable_sections
from pincite_server.answering.outcome import Outcome
from pincite_server.answering.replies import missing_topics, refuse, refuse_no_evidence
from pincite_server.answering.retrieve import SECTIONS
from pincite_server.guards.chain import ValidationResult
from pincite_server.guards.release import FallbackHandler, references_hold
from pincite_server.policy import GroundingMode
from pincite_server.question.resolve import ResolvedQuestion
from pincite_server.reply.records import Citation, Mode, ValidationInfo

__all__ = ("CorpusCiter", "CorpusContext")

_PINNED = 0.5  # share of a claim's words that a unit must contain to be cited instead of its section


@dataclass(frozen=True, slots=True)
class CorpusContext:
    """The sections that search found for a question.

    Attributes:
        resolved: The question.
        result: The search for the reader's own words, as a quoted answer uses it.
        strength: The evidence of that search.
        candidates: All distinct sections of that search, best first.
        searches: The searches for the queries of a query plan.
    """

    resolved: ResolvedQuestion
    result: SearchResult
    strength: Evidence
    candidates: tuple[RankedSection, ...]
    searches: tuple[QuerySearch, ...] = ()
    mode: Mode = "corpus"
    grounding_mode: GroundingMode = "default"

    @property
    def evidence(self) -> float:
        """The probability that the docs hold the answer, 0 to 1, by the best of the searches."""
        return max(self.strength.value, *(search.evidence for search in self.searches), 0.0)

    @property
    def queries(self) -> tuple[str, ...]:
        """The search queries: the question as it was searched for, then the queries of the query plan."""
        return (self.resolved.question.query, *(search.query for search in self.searches))

    @property
    def sections(self) -> tuple[RankedSection, ...]:
        """The sections of all searches, best first."""
        if not self.searches:
            return self.candidates
        return fused_sections((QuerySearch("", self.candidates, self.strength.value), *self.searches))

    @property
    def is_sufficient(self) -> bool:
        """Whether the search for the reader's own words has enough evidence for an answer."""
        return self.strength.sufficient

    def search(self, query: str) -> QuerySearch:
        """Search the question's scope for a query of its query plan."""
        return search_query(self.resolved, query)

    def with_searches(self, searches: Sequence[QuerySearch]) -> "CorpusContext":
        """Return the context with the results of further searches."""
        return replace(self, searches=tuple(searches))

    def may_answer(self, *, is_foreign: bool) -> bool:
        """Whether a model should read the context (`SearchableContext`)."""
        if is_foreign:
            return self.is_sufficient
        best = Evidence(self.evidence, self.strength.threshold)
        return best.sufficient or best.weak

    def excerpts(self, tokens: int) -> tuple[Excerpt, ...]:
        """Return up to twelve sections, whole if they are not long, and the targets of their links."""
        resolved = self.resolved
        index, scope = resolved.answerer.index, resolved.scope
        return whole_sections(index, self.sections, resolved.query.text, tokens, scope.scope_ids)

    def citer(self) -> Citer:
        """Return a citer of places in the site."""
        return CorpusCiter(self.resolved.answerer.index, self._nearest())

    def check_whole(self, text: str, citations: Sequence[Citation]) -> WholeCheck:
        """Check that every cited URL comes from the index."""
        return WholeCheck(tuple(references_hold(self.resolved.answerer.index, citations)))

    def topics(self) -> tuple[str, ...]:
        """Return the question's rarest words."""
        return missing_topics(self.result.query, self.result.idf)

    def decline(self) -> Outcome:
        """Return the refusal for too little evidence, with the search queries."""
        searched = tuple(search.query for search in self.searches)
        return refuse_no_evidence(self.resolved, self.result, self.evidence, self._nearest(), searched)

    def fall_back(self, result: ValidationResult, validation: ValidationInfo) -> Outcome:
        """Return the refusal for an answer that failed its checks, in the reader's language."""
        handler = FallbackHandler(self.resolved.corpus, self.resolved.answerer.built_on)
        message = handler.get_fallback_answer(self.resolved.language, result)
        return refuse(
            self.resolved,
            "no_evidence",
            message,
            nearest=self._nearest(),
            evidence=self.evidence,
            validation=validation,
        )

    def _nearest(self) -> tuple[RankedSection, ...]:
        """Return the best sections, without text that addresses an AI assistant."""
        if not self.searches:
            return self.result.sections
        resolved = self.resolved
        return readable_sections(resolved.answerer.index, self.sections[:SECTIONS], resolved.query.text)


class CorpusCiter:
    """Cites the unit that contains most words of a claim.

    An answer cites at most twelve places, which is also the number of sections that the model reads.
    """

    def __init__(self, index: Index, sections: Sequence[RankedSection]) -> None:
        self._index = index
        self._sections = sections
        self._cited: dict[int, Statement] = {}  # by target, in the order of their numbers

    def cite(self, claim: str, excerpts: Sequence[Excerpt]) -> tuple[int, ...]:
        """Return a number for each excerpt.

        Beyond the limit of places, the number is that of a cited place in the same section; no number if there is none.
        """
        numbers: dict[int, None] = {}
        for excerpt in excerpts:
            place = self._place(_pin(claim, excerpt))
            if place is not None:
                self._cited.setdefault(place.target_id, place)
                numbers[list(self._cited).index(place.target_id) + 1] = None
        return tuple(numbers)

    def citations(self) -> tuple[Citation, ...]:
        """Return the used citations, and unused sections up to five citations in all."""
        return cite_all(self._index, list(self._cited.values()), self._sections)[1]

    def _place(self, place: Statement) -> Statement | None:
        if place.target_id in self._cited or len(self._cited) < MOST_SECTIONS:
            return place
        section = place.chunk.target_id
        return next((cited for cited in self._cited.values() if cited.chunk.target_id == section), None)


def _pin(claim: str, excerpt: Excerpt) -> Statement:
    """Return the unit that contains most words of a claim, or the section if no unit contains half of them."""
    wanted = set(content_terms(claim))

    def share(unit: Statement) -> float:
        return len(wanted & set(terms(unit.text))) / len(wanted) if wanted else 0.0

    best = max(excerpt.units, key=share)  # the first unit if several are equal
    if share(best) >= _PINNED:
        return best
    return Statement(best.text, best.kind, best.chunk.target_id, best.chunk, best.start)
