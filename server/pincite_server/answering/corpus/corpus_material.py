"""A model's material in corpus mode: the sections found, cited down to the row or item that a claim is from."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pincite_core.index.read import Index
from pincite_core.search.ranking import RankedSection, SearchResult
from pincite_core.search.terms import content_terms, terms
from pincite_core.types import Chunk
from pincite_core.units import estimate_tokens
from pincite_server.answering.citations import MAX_CITATIONS, cite_all
from pincite_server.answering.corpus.compose import Statement
from pincite_server.answering.material import Citer, Excerpt, WholeCheck
from pincite_server.answering.outcome import Outcome
from pincite_server.answering.replies import missing_topics, refuse, refuse_no_evidence
from pincite_server.answering.situation import Situation
from pincite_server.answering.spoken_to import chunks_for_readers
from pincite_server.guards.chain import ValidationResult
from pincite_server.guards.fallback import FallbackHandler
from pincite_server.guards.release import references_hold
from pincite_server.policy import GroundingMode
from pincite_server.reply.records import Citation, Mode, ValidationInfo

__all__ = ("CorpusCiter", "CorpusMaterial")

_PINNED = 0.5  # share of a claim's words that a row or item must hold to be cited in place of its section


@dataclass(frozen=True, slots=True)
class CorpusMaterial:
    """The sections found for a question, best first."""

    situation: Situation
    result: SearchResult
    evidence: float
    mode: Mode = "corpus"
    grounding_mode: GroundingMode = "default"

    def excerpts(self, tokens: int) -> tuple[Excerpt, ...]:
        """Return the best sections, each with what stands around its best part; the first gets half at most."""
        index, asked, left = self.situation.answerer.index, self.situation.query.text, tokens
        found: list[Excerpt] = []
        for section in self.result.sections[:MAX_CITATIONS]:
            excerpt = _excerpt(index, section, asked, min(left, max(1, tokens // 2)))
            if excerpt is not None:
                found.append(excerpt)
                left -= estimate_tokens(excerpt.evidence)
        return tuple(found)

    def citer(self) -> Citer:
        """Return a citer of places in the site."""
        return CorpusCiter(self.situation.answerer.index, self.result.sections)

    def check_whole(self, text: str, citations: Sequence[Citation]) -> WholeCheck:
        """Check that every URL is the index's own."""
        return WholeCheck(tuple(references_hold(self.situation.answerer.index, citations)))

    def topics(self) -> tuple[str, ...]:
        """Return the question's rarest words."""
        return missing_topics(self.result.query, self.result.rarity)

    def decline(self) -> Outcome:
        """Refuse as when the evidence is too weak."""
        return refuse_no_evidence(self.situation, self.result, self.evidence, self.result.sections)

    def fall_back(self, result: ValidationResult, validation: ValidationInfo) -> Outcome:
        """Refuse with the fallback, in the reader's language."""
        handler = FallbackHandler(self.situation.corpus, self.situation.answerer.built_on)
        message = handler.get_fallback_answer(self.situation.language, result)
        return refuse(
            self.situation,
            "no_evidence",
            message,
            nearest=self.result.sections,
            evidence=self.evidence,
            validation=validation,
        )


class CorpusCiter:
    """Cites the unit that says most of what a claim says, five places at most."""

    def __init__(self, index: Index, sections: Sequence[RankedSection]) -> None:
        self._index = index
        self._sections = sections
        self._cited: dict[int, Statement] = {}  # by target, in the order of their numbers

    def cite(self, claim: str, excerpts: Sequence[Excerpt]) -> tuple[int, ...]:
        """Return one number an excerpt; a sixth place is cited as its section, if that is cited already."""
        numbers: dict[int, None] = {}
        for excerpt in excerpts:
            place = self._place(_pin(claim, excerpt))
            if place is not None:
                self._cited.setdefault(place.target_id, place)
                numbers[list(self._cited).index(place.target_id) + 1] = None
        return tuple(numbers)

    def citations(self) -> tuple[Citation, ...]:
        """Return the citations used, and further qualifying sections, five in all."""
        return cite_all(self._index, list(self._cited.values()), self._sections)[1]

    def _place(self, place: Statement) -> Statement | None:
        if place.target_id in self._cited or len(self._cited) < MAX_CITATIONS:
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


def _excerpt(index: Index, section: RankedSection, asked: str, tokens: int) -> Excerpt | None:
    """Return as much of a section as fits; None when not even its first unit does, or it addresses the model."""
    title = " > ".join(index.target(section.target_id).heading_path)
    left = tokens - estimate_tokens(title)
    around = [unit for chunk in _parts(index, section, asked) for unit in _units(index, chunk)]
    if sum(estimate_tokens(unit.text) for unit in around) > left:  # then from the best part on
        around = [unit for unit in around if unit.chunk.ordinal >= section.chunk.ordinal]
    kept: list[Statement] = []
    for unit in around:
        left -= estimate_tokens(unit.text)
        if left < 0:
            break
        kept.append(unit)
    return Excerpt(title, _text_of(kept), tuple(kept)) if kept else None


def _parts(index: Index, section: RankedSection, asked: str) -> list[Chunk]:
    """Return the section's best chunk and those beside it."""
    chunks = chunks_for_readers(index, section.target_id, asked, mentions=True)
    return [chunk for chunk in chunks if abs(chunk.ordinal - section.chunk.ordinal) <= 1]


def _units(index: Index, chunk: Chunk) -> Iterator[Statement]:
    for sentence in index.sentences_of_chunks([chunk.chunk_id]):
        if sentence.end > len(chunk.text):
            return
        text = chunk.text[sentence.start : sentence.end]
        yield Statement(text, sentence.kind, sentence.target_id, chunk, sentence.start)


def _text_of(units: Sequence[Statement]) -> str:
    """Return the text of units of one or several chunks with what stands between them, as the page has it."""
    parts: list[str] = []
    for chunk in dict.fromkeys(unit.chunk for unit in units):
        own = [unit for unit in units if unit.chunk == chunk]
        parts.append(chunk.text[own[0].start : own[-1].start + len(own[-1].text)])
    return "\n\n".join(parts)
