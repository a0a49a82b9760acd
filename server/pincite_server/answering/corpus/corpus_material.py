"""A model's material in corpus mode: the sections found, cited down to the row or item that a claim is from."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pincite_core.index.read import Index
from pincite_core.search.ranking import RankedSection, SearchResult
from pincite_core.search.terms import content_terms, terms
from pincite_core.types import Landing
from pincite_server.answering.citations import cite_all
from pincite_server.answering.corpus.compose import Statement
from pincite_server.answering.corpus.corpus_evidence import Evidence
from pincite_server.answering.corpus.query_search import fused_sections, search_query
from pincite_server.answering.corpus.whole_sections import MOST_SECTIONS, whole_sections
from pincite_server.answering.material import Citer, Excerpt, QuerySearch, WholeCheck
from pincite_server.answering.outcome import Outcome
from pincite_server.answering.replies import missing_topics, refuse, refuse_no_evidence
from pincite_server.answering.retrieve import SECTIONS
from pincite_server.answering.spoken_to import sections_for_readers
from pincite_server.guards.chain import ValidationResult
from pincite_server.guards.fallback import FallbackHandler
from pincite_server.guards.release import references_hold
from pincite_server.policy import GroundingMode
from pincite_server.question.resolve import ResolvedQuestion
from pincite_server.reply.records import Citation, Mode, ValidationInfo

__all__ = ("CorpusCiter", "CorpusMaterial")

_PINNED = 0.5  # share of a claim's words that a row or item must hold to be cited in place of its section


@dataclass(frozen=True, slots=True)
class CorpusMaterial:
    """The sections found for a question.

    Attributes:
        resolved: The question.
        result: The search by the reader's own words, as a quoted answer uses it.
        strength: Its evidence.
        candidates: All distinct sections of that search, best first.
        searches: Those by the queries of a plan.
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
        """How likely the answer is in there, 0 to 1, by the best of the searches."""
        return max(self.strength.value, *(search.evidence for search in self.searches), 0.0)

    @property
    def queries(self) -> tuple[str, ...]:
        """What was searched for: the question as it is read, then the queries of the plan."""
        return (self.resolved.question.query, *(search.query for search in self.searches))

    @property
    def sections(self) -> tuple[RankedSection, ...]:
        """The sections of all searches, best first."""
        if not self.searches:
            return self.candidates
        return fused_sections((QuerySearch("", self.candidates, self.strength.value), *self.searches))

    @property
    def is_sufficient(self) -> bool:
        """Whether the evidence of the reader's own words is enough to answer."""
        return self.strength.sufficient

    def search(self, query: str) -> QuerySearch:
        """Search the scope of the question for a query of its plan."""
        return search_query(self.resolved, query)

    def with_searches(self, searches: Sequence[QuerySearch]) -> "CorpusMaterial":
        """Return the material with what some searches found."""
        return replace(self, searches=tuple(searches))

    def may_answer(self, *, is_foreign: bool) -> bool:
        """Whether a model is to read what was found (`SearchableMaterial`)."""
        if is_foreign:
            return self.is_sufficient
        best = Evidence(self.evidence, self.strength.threshold)
        return best.sufficient or best.weak

    def excerpts(self, tokens: int) -> tuple[Excerpt, ...]:
        """Return up to twelve sections, whole where they are not long, and the places that they link to."""
        resolved = self.resolved
        index, scope = resolved.answerer.index, resolved.scope
        return whole_sections(index, self.sections, resolved.query.text, tokens, scope.scope_ids)

    def citer(self) -> Citer:
        """Return a citer of places in the site."""
        return CorpusCiter(self.resolved.answerer.index, self._nearest())

    def check_whole(self, text: str, citations: Sequence[Citation]) -> WholeCheck:
        """Check that every URL is the index's own."""
        return WholeCheck(tuple(references_hold(self.resolved.answerer.index, citations)))

    def topics(self) -> tuple[str, ...]:
        """Return the question's rarest words."""
        return missing_topics(self.result.query, self.result.rarity)

    def decline(self) -> Outcome:
        """Refuse as when the evidence is too weak, with what was searched for."""
        searched = tuple(search.query for search in self.searches)
        return refuse_no_evidence(self.resolved, self.result, self.evidence, self._nearest(), searched)

    def fall_back(self, result: ValidationResult, validation: ValidationInfo) -> Outcome:
        """Refuse with the fallback, in the reader's language."""
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
        """Return the best sections that readers may be shown."""
        if not self.searches:
            return self.result.sections
        resolved = self.resolved
        return sections_for_readers(resolved.answerer.index, self.sections[:SECTIONS], resolved.query.text)


class CorpusCiter:
    """Cites the unit that says most of what a claim says, as many places as the model reads sections at most."""

    def __init__(self, index: Index, sections: Sequence[RankedSection]) -> None:
        self._index = index
        self._sections = sections
        self._cited: dict[int, Statement] = {}  # by target, in the order of their numbers

    def cite(self, claim: str, excerpts: Sequence[Excerpt]) -> tuple[int, ...]:
        """Return one number an excerpt; a place too many is cited as its section, if that is cited already."""
        numbers: dict[int, None] = {}
        for excerpt in excerpts:
            place = self._place(_pin(claim, excerpt))
            if place is not None:
                self._cited.setdefault(place.target_id, place)
                numbers[list(self._cited).index(place.target_id) + 1] = None
        return tuple(numbers)

    def citations(self) -> tuple[Citation, ...]:
        """Return the citations used, and further qualifying sections where these are fewer than five."""
        return cite_all(self._index, list(self._cited.values()), self._sections)[1]

    def landing(self, number: int) -> tuple[Landing, ...]:
        """Return the tabs and details that hide the place with a number."""
        return self._index.target(list(self._cited)[number - 1]).landing

    def _place(self, place: Statement) -> Statement | None:
        if place.target_id in self._cited or len(self._cited) < MOST_SECTIONS:
            return place
        section = place.chunk.target_id
        return next((cited for cited in self._cited.values() if cited.chunk.target_id == section), None)


def _pin(claim: str, excerpt: Excerpt) -> Statement:
    """Return the unit that a claim is most likely from, or the section when no unit holds half of its words."""
    wanted = set(content_terms(claim))

    def share(unit: Statement) -> float:
        return len(wanted & set(terms(unit.text))) / len(wanted) if wanted else 0.0

    best = max(excerpt.units, key=share)  # the first of equals
    if share(best) >= _PINNED:
        return best
    return Statement(best.text, best.kind, best.chunk.target_id, best.chunk, best.start)
