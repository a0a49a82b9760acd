"""What an answer may quote: each sentence, item, row and code block of a section, and how well it answers."""

from collections.abc import Sequence, Set
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pincite_core.index.quantise import cosines
from pincite_core.index.read import Index
from pincite_core.phrasing import asked_in
from pincite_core.quoting.layout import Layout, continues_code, layouts
from pincite_core.quoting.quantities import has_quantity, quantity_asked, without_asking
from pincite_core.quoting.stances import Stance, asks_whether, leans_back, says_whether, stance_of
from pincite_core.search.compounds import held_terms
from pincite_core.search.ranking import RankedSection, SearchResult
from pincite_core.search.terms import terms
from pincite_core.types import Chunk, Sentence, UnitKind
from pincite_server.answering.spoken_to import chunks_for_readers

__all__ = ("Quotable", "Quotables")

_COVERAGE_WEIGHT = 0.35  # a sentence with every rare word of the question is worth a third of a cosine
_QUANTITY_BONUS = 0.15  # "how long", "how many": a number of that kind answers
_WHETHER_BONUS = 0.05  # "can I", "is it possible": what may or cannot be
_PENALTIES: dict[Stance, float] = {
    "stands": 0.0,
    "leans": 0.06,
    "asks": 1.0,
    "refers": 0.25,
    "announces": 0.05,
    "fragment": 0.25,
}
_OTHER_CASE_PENALTY = 0.15  # a row about a case that was not asked about answers another question
_NOTE_PENALTY = 0.08  # a remark stands beside what a section says
_PARTS = 8  # chunks; of a longer section, its opening and what stands around its best part


@dataclass(frozen=True, slots=True)
class Quotable:
    """A unit that the answer may use. `share` is how much of the question its words hold, by rarity.

    `language` is that of its page, a BCP 47 tag.
    """

    sentence: Sentence
    chunk: Chunk
    text: str
    layout: Layout
    score: float
    share: float
    stance: Stance
    language: str = "en"

    @property
    def kind(self) -> UnitKind:
        """What kind of unit it is."""
        return self.sentence.kind

    @property
    def leans(self) -> bool:
        """Whether it cannot be read without what stands before it, whatever else it is."""
        return self.kind == "prose" and (self.stance == "fragment" or leans_back(self.text, self.language))

    @property
    def goes_on(self) -> bool:
        """Whether it is code that goes on from the unit before it."""
        return self.kind == "code" and continues_code(self.text)

    def follows(self, other: "Quotable") -> bool:
        """Whether nothing was left out between another unit of the section and this one."""
        return self.chunk.ordinal - other.chunk.ordinal <= 1


class Quotables:
    """Weighs the units of sections for one question."""

    def __init__(self, index: Index, vector: npt.NDArray[np.float32], result: SearchResult) -> None:
        self._index = index
        self._vector = vector
        self._result = result
        query = result.query.text
        self._language = result.query.language
        spoken = asked_in(query, self._language)
        asked = held_terms(without_asking(query, spoken), result.rarity.keys(), self._language)
        self._subject = asked or result.rarity.keys()
        self._quantity = quantity_asked(query, spoken)
        self._whether = asks_whether(query, spoken)
        self._known: dict[tuple[int, int], list[Quotable]] = {}

    def of(self, section: RankedSection) -> Sequence[Quotable]:
        """Return a section's units in document order; of tabs, those in the first one or in the one asked about."""
        known = section.target_id, section.chunk.chunk_id
        if known not in self._known:  # asked for what it says, and then for where it sends the reader
            self._known[known] = self._read(section)
        return self._known[known]

    def _read(self, section: RankedSection) -> list[Quotable]:
        chunks = _parts(chunks_for_readers(self._index, section.target_id, self._result.query.text), section)
        by_chunk: dict[int, list[Sentence]] = {}
        places = {chunk.chunk_id: chunk for chunk in chunks}
        for sentence in self._index.sentences_of_chunks(places):
            if sentence.end <= len(places[sentence.chunk_id].text):
                by_chunk.setdefault(sentence.chunk_id, []).append(sentence)
        laid_out = list(layouts(chunks, by_chunk))
        named = {layout.first_tab for _, layout in laid_out if layout.first_tab and self._names(layout.tab)}
        shown = [(sentence, layout) for sentence, layout in laid_out if self._in_view(layout, named)]
        title = self._held(self._index.target(section.target_id).title)
        linked = {link.text for link in self._index.links_from({section.target_id})}
        near = self._cosines([sentence for sentence, _ in shown])
        return [
            self._weigh(
                _Seen(sentence, places[sentence.chunk_id], layout), near.get(sentence.sentence_id, 0.0), title, linked
            )
            for sentence, layout in shown
        ]

    def _in_view(self, layout: Layout, named: set[str]) -> bool:
        """Whether a unit's tab is the one to show: of each group the one whose label the question has, or the first."""
        if layout.first_tab in named:
            return self._names(layout.tab)
        return layout.tab == layout.first_tab

    def _names(self, label: str) -> bool:
        return bool(label) and not self._result.rarity.keys().isdisjoint(terms(label, self._language))

    def _cosines(self, sentences: Sequence[Sentence]) -> dict[int, float]:
        embedded = [sentence for sentence in sentences if sentence.vector_id]
        if not embedded:
            return {}
        stored = self._index.vectors([sentence.vector_id for sentence in embedded])
        near = cosines(self._vector, stored).tolist()
        return {sentence.sentence_id: cosine for sentence, cosine in zip(embedded, near, strict=True)}

    def _weigh(self, seen: "_Seen", cosine: float, title: frozenset[str], linked: Set[str]) -> Quotable:
        """Weigh a unit. What its section's title says is said of all of it, and need not be said again."""
        sentence, chunk, layout = seen
        text = chunk.text[sentence.start : sentence.end]
        is_link = text.replace("`", "").rstrip(".") in linked
        stance = "refers" if is_link else stance_of(text, sentence.kind, self._language)
        share = self._result.share_of_query(title | self._held(text))
        score = cosine + _COVERAGE_WEIGHT * share - _PENALTIES[stance]
        score += _QUANTITY_BONUS if self._quantity and has_quantity(text, self._quantity, self._language) else 0.0
        score += _WHETHER_BONUS if self._whether and says_whether(text, self._language) else 0.0
        score -= _NOTE_PENALTY if layout.note else 0.0
        score -= _OTHER_CASE_PENALTY if self._is_of_another_case(text, sentence.kind) else 0.0
        return Quotable(sentence, chunk, text, layout, score, share, stance, self._language)

    def _is_of_another_case(self, text: str, kind: UnitKind) -> bool:
        """Whether a row begins with a case in plain words ("Situation: Short web calls") that the question lacks."""
        case = text.partition(";")[0]
        return kind == "row" and "`" not in case and not self._held(case)

    def _held(self, text: str) -> frozenset[str]:
        return held_terms(text, self._subject, self._language)


class _Seen(NamedTuple):
    """A unit that a reader sees, before it is weighed."""

    sentence: Sentence
    chunk: Chunk
    layout: Layout


def _parts(chunks: list[Chunk], section: RankedSection) -> list[Chunk]:
    """Return a section's chunks; of a long one its opening, its best part, those beside it, and code to its end."""
    if len(chunks) <= _PARTS:
        return chunks
    best, kept = section.chunk.ordinal, list[Chunk]()
    for chunk in chunks:
        goes_on = bool(kept) and kept[-1].ordinal + 1 == chunk.ordinal and continues_code(chunk.text)
        if chunk.ordinal <= 1 or -1 <= chunk.ordinal - best <= 2 or goes_on:
            kept.append(chunk)
    return kept
