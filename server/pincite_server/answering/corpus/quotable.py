"""What an answer may quote: each sentence, item, row and code block of the sections found, and how well it answers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pincite_core.index.quantise import cosines
from pincite_core.index.read import Index
from pincite_core.search.ranking import RankedSection, SearchResult
from pincite_core.search.terms import terms
from pincite_core.types import Chunk, Sentence, UnitKind
from pincite_server.answering.corpus.stances import Stance, stance_of
from pincite_server.grounding.quantities import has_quantity, quantity_asked, without_asking

__all__ = ("Quotable", "quotables")

_COVERAGE_WEIGHT = 0.35  # a sentence with every rare word of the question is worth a third of a cosine
_SECTION_WEIGHT = 0.60  # the section's rank says more than the nearness of one sentence in another
_OPENING_BONUS = 0.05  # a section's first sentence tends to say what it is about ...
_TITLE_BONUS = 0.25  # ... and to answer, where its title is what was asked ("May a job run for hours?")
_TOP_BONUS = 0.10  # of the best section
_QUANTITY_BONUS = 0.10  # "how long", "how many": a number of that kind answers
_PENALTIES: dict[Stance, float] = {
    "stands": 0.0,
    "leans": 0.06,
    "asks": 1.0,
    "refers": 0.25,
    "announces": 0.10,
    "fragment": 0.25,
}
_OTHER_CASE_PENALTY = 0.15  # a row about a case that was not asked about answers another question


@dataclass(frozen=True, slots=True)
class Quotable:
    """A unit that the answer may use.

    `held` are the question's terms in it and in its heading, `share` how much of the question they are, by rarity.
    """

    sentence: Sentence
    section: RankedSection
    chunk: Chunk
    text: str
    score: float
    held: frozenset[str]
    share: float
    stance: Stance
    vector: npt.NDArray[np.float32] | None

    @property
    def is_code(self) -> bool:
        """Whether it is a whole code block."""
        return self.sentence.kind == "code"

    def follows(self, other: "Quotable") -> bool:
        """Whether it comes next after `other` in the same chunk."""
        one_on = self.sentence.sentence_id == other.sentence.sentence_id + 1
        return one_on and self.chunk.chunk_id == other.chunk.chunk_id

    def continues(self, other: "Quotable") -> bool:
        """Whether it is the next sentence of the same paragraph or list item."""
        return self.follows(other) and "\n\n" not in self.chunk.text[other.sentence.end : self.sentence.start]


def quotables(
    index: Index, vector: npt.NDArray[np.float32], result: SearchResult, sections: Sequence[RankedSection]
) -> list[Quotable]:
    """Return every unit of some sections, in document order, with its score.

    Args:
        index: The index.
        vector: The question's unit vector, shape (dimension,).
        result: The search that found the sections.
        sections: Those worth quoting.
    """
    places = {chunk.chunk_id: (section, chunk) for section in sections for chunk in _parts(index, section)}
    judge = _Judge(index, result, sections)
    sentences = index.sentences_of_chunks(places)
    stored = index.vectors([sentence.vector_id for sentence in sentences if sentence.vector_id])
    rows = iter(zip(stored.astype(np.float32), cosines(vector, stored).tolist(), strict=True))
    found = []
    for sentence in sentences:
        row, cosine = next(rows) if sentence.vector_id else (None, 0.0)
        found.append(judge.weigh(sentence, *places[sentence.chunk_id], cosine, row))
    return found


class _Judge:
    """Weighs units one after the other, in document order."""

    def __init__(self, index: Index, result: SearchResult, sections: Sequence[RankedSection]) -> None:
        targets = index.targets_by_id(section.target_id for section in sections)
        self._result = result
        asked = result.rarity.keys() & set(terms(without_asking(result.query.text)))
        self._subject = asked or result.rarity.keys()
        self._titles = {target_id: self._held(target.title) for target_id, target in targets.items()}
        self._top = sections[0].target_id if sections else 0
        self._quantity = quantity_asked(result.query.text)
        self._opened: set[int] = set()

    def weigh(
        self,
        sentence: Sentence,
        section: RankedSection,
        chunk: Chunk,
        cosine: float,
        vector: npt.NDArray[np.float32] | None,
    ) -> Quotable:
        text = chunk.text[sentence.start : sentence.end]
        stance = stance_of(text, sentence.kind)
        held = self._titles[section.target_id] | self._held(text)
        share = self._result.share_of_query(held)
        score = cosine + _SECTION_WEIGHT * section.score + _COVERAGE_WEIGHT * share - _PENALTIES[stance]
        score += _TOP_BONUS if section.target_id == self._top else 0.0
        score += _QUANTITY_BONUS if self._quantity and has_quantity(text, self._quantity) else 0.0
        score += self._opening_bonus(section, chunk, stance)
        score -= _OTHER_CASE_PENALTY if self._is_of_another_case(text, sentence.kind) else 0.0
        return Quotable(sentence, section, chunk, text, score, held, share, stance, vector)

    def _opening_bonus(self, section: RankedSection, chunk: Chunk, stance: Stance) -> float:
        if stance == "fragment" or chunk.ordinal > 0 or section.target_id in self._opened:
            return 0.0
        self._opened.add(section.target_id)
        return _OPENING_BONUS + _TITLE_BONUS * self._result.share_of_query(self._titles[section.target_id])

    def _is_of_another_case(self, text: str, kind: UnitKind) -> bool:
        """Whether a row begins with a case in plain words ("Situation: Short web calls") that the question lacks."""
        case = text.partition(";")[0]
        return kind == "row" and "`" not in case and not self._held(case)

    def _held(self, text: str) -> frozenset[str]:
        return frozenset(self._subject & set(terms(text)))


def _parts(index: Index, section: RankedSection) -> Iterator[Chunk]:
    """Yield the section's best chunk and those beside it: what it announces may stand in the next."""
    for chunk in index.chunks_of_target(section.target_id):
        if abs(chunk.ordinal - section.chunk.ordinal) <= 1:
            yield chunk
