"""Score the units of a section (sentences, items, rows, code blocks) by how well they answer a question."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pincite_core.index.quantise import cosines
from pincite_core.index.read import Index
from pincite_core.phrasing import asked_in
from pincite_core.quoting.quantities import quantity_asked, without_asking
from pincite_core.quoting.unit_facts import asks_whether
from pincite_core.rules import SCORING
from pincite_core.search.ranking import RankedSection, SearchResult
from pincite_core.search.term_matching import matched_terms
from pincite_core.search.terms import terms
from pincite_core.types import Chunk, Unit, UnitKind, UnitRole
from pincite_server.answering.injection_filter import readable_units

__all__ = ("ScoredUnit", "UnitScorer")


@dataclass(frozen=True, slots=True)
class ScoredUnit:
    """A unit that the answer may quote.

    Attributes:
        share: The IDF-weighted share of the question's words in the unit.
        passage: The unit's passage with the tabs that the question names, as in `Unit.passage`.
    """

    unit: Unit
    chunk: Chunk
    text: str
    score: float
    share: float
    passage: tuple[int, ...]

    @property
    def kind(self) -> UnitKind:
        """The kind of the unit."""
        return self.unit.kind

    @property
    def role(self) -> UnitRole:
        """The role of the unit, judged by its own text."""
        return self.unit.role

    @property
    def leans(self) -> bool:
        """Whether the unit depends on the text before it, in any role."""
        return self.unit.has("leans")

    @property
    def goes_on(self) -> bool:
        """Whether the unit is code that continues the unit before it."""
        return self.unit.has("goes_on")

    def follows(self, other: "ScoredUnit") -> bool:
        """Whether no chunk is left out between another unit of the section and this one."""
        return self.chunk.ordinal - other.chunk.ordinal <= 1


class UnitScorer:
    """Scores the units of sections for one question."""

    def __init__(self, index: Index, vector: npt.NDArray[np.float32], result: SearchResult) -> None:
        self._index = index
        self._vector = vector
        self._result = result
        query = result.query.text
        self._language = result.query.language
        spoken = asked_in(query, self._language)
        asked = matched_terms(without_asking(query, spoken), result.idf.keys(), self._language)
        self._subject = asked or result.idf.keys()
        self._quantity = quantity_asked(query, spoken)
        self._whether = asks_whether(query, spoken)
        self._known: dict[tuple[int, int], list[ScoredUnit]] = {}

    def of(self, section: RankedSection) -> Sequence[ScoredUnit]:
        """Return a section's units in document order, without those in hidden tabs.

        Of each group of tabs, the units are from the tab that the question names, else from the first one.
        """
        known = section.target_id, section.chunk.chunk_id
        if known not in self._known:  # a section is read twice: for its own text, and for its references
            self._known[known] = self._read(section)
        return self._known[known]

    def _read(self, section: RankedSection) -> list[ScoredUnit]:
        chunks = self._index.chunks_of_target(section.target_id)
        places = {chunk.chunk_id: chunk for chunk in chunks}
        units: dict[int, list[Unit]] = {chunk_id: [] for chunk_id in places}
        for unit in readable_units(self._index, chunks, self._result.query.text):
            units[unit.chunk_id].append(unit)
        near_best = [unit for chunk in _parts(chunks, units, section) for unit in units[chunk.chunk_id]]
        named = {unit.first_tab for unit in near_best if unit.first_tab and self._names(unit.tab)}
        shown = [unit for unit in near_best if self._in_view(unit, named)]
        title = self._held(self._index.target(section.target_id).title)
        near = self._cosines(shown)
        return [self._weigh(unit, places[unit.chunk_id], near.get(unit.unit_id, 0.0), title) for unit in shown]

    def _passage(self, unit: Unit) -> tuple[int, ...]:
        of_tab = next((passage for tab, passage in unit.tab_passages if self._names(tab)), None)
        return unit.passage if of_tab is None else of_tab

    def _in_view(self, unit: Unit, named: set[str]) -> bool:
        """Whether a unit is in no tab, or in the tab to quote: the tab that the question names, else the first one."""
        if unit.first_tab in named:
            return self._names(unit.tab)
        return unit.tab == unit.first_tab

    def _names(self, label: str) -> bool:
        return bool(label) and not self._result.idf.keys().isdisjoint(terms(label, self._language))

    def _cosines(self, units: Sequence[Unit]) -> dict[int, float]:
        embedded = [unit for unit in units if unit.vector_id]
        if not embedded:
            return {}
        stored = self._index.vectors([unit.vector_id for unit in embedded])
        near = cosines(self._vector, stored).tolist()
        return {unit.unit_id: cosine for unit, cosine in zip(embedded, near, strict=True)}

    def _weigh(self, unit: Unit, chunk: Chunk, cosine: float, title: frozenset[str]) -> ScoredUnit:
        """Score a unit. The words of the section's title count as words of each unit."""
        text = chunk.text[unit.start : unit.end]
        share = self._result.share_of_query(title | self._held(text))
        score = cosine + SCORING.coverage_weight * share - SCORING.penalties[unit.role]
        score += SCORING.quantity_bonus if self._quantity and unit.has(self._quantity) else 0.0
        score += SCORING.whether_bonus if self._whether and unit.has("whether") else 0.0
        score -= SCORING.note_penalty if unit.admonition else 0.0
        score -= SCORING.other_case_penalty if self._is_of_another_case(text, unit) else 0.0
        return ScoredUnit(unit, chunk, text, score, share, self._passage(unit))

    def _is_of_another_case(self, text: str, unit: Unit) -> bool:
        """Whether a row begins with a case in plain words ("Situation: Short web calls") that the question lacks."""
        return unit.has("case") and not self._held(text.partition(";")[0])

    def _held(self, text: str) -> frozenset[str]:
        return matched_terms(text, self._subject, self._language)


def _parts(chunks: list[Chunk], units: Mapping[int, Sequence[Unit]], section: RankedSection) -> list[Chunk]:
    """Return the chunks of a section; of a long section, only its opening, its best chunk and the chunks beside it.

    A code block that starts in one of these chunks is included to its end.
    """
    if len(chunks) <= SCORING.parts:
        return chunks
    best, kept = section.chunk.ordinal, list[Chunk]()
    for chunk in chunks:
        follows = bool(kept) and kept[-1].ordinal + 1 == chunk.ordinal
        goes_on = follows and any(unit.has("goes_on") for unit in units[chunk.chunk_id][:1])
        if chunk.ordinal <= 1 or -1 <= chunk.ordinal - best <= 2 or goes_on:
            kept.append(chunk)
    return kept
