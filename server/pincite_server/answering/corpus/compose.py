"""Stage 3: an extractive answer. Passages of the docs, verbatim and whole: the best section's, then two others'.

What a section begins with is what its author would say first. Other words of it are quoted in its place only when they
are clearly nearer to the question.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from pincite_core.index.read import Index
from pincite_core.search.ranking import RankedSection, SearchResult
from pincite_core.types import Chunk, UnitKind
from pincite_server.answering.corpus.layout import PLAIN, Layout
from pincite_server.answering.corpus.quotable import Quotable, Quotables
from pincite_server.answering.corpus.stances import asks_how, lists_reading, names_task
from pincite_server.answering.corpus.whole import (
    MAX_SENTENCES,
    code_for,
    enough,
    opening_of,
    sentences,
    warnings_near,
    whole_passage,
)

__all__ = ("MAX_PASSAGES", "MAX_SENTENCES", "Passage", "Statement", "compose_extractive")

MAX_PASSAGES = 3  # the answer, and two more sections that stand open below it
_MAX_PLACES = 5  # that passages cite, each at least one
_SECTIONS = 6  # looked at for passages
_SECTION_FLOOR = 0.5  # a section this much worse than the best one is another subject
_THE_ROW = 0.2  # a row so much nearer than the next is the one that was asked about
_NEAR = 8  # units from a section's opening to the end of what else is quoted of it
_FEWEST_WORDS = 4
_ADDS_TO_OPENING = 0.03  # and by so much what is quoted after it
_BEATS_OPENING = 0.12  # by so much must other words be nearer to the question than the section's opening


@dataclass(frozen=True, slots=True)
class Statement:
    """A claim of the answer: one unit of a chunk, verbatim, and the innermost target that holds it."""

    text: str
    kind: UnitKind
    target_id: int
    chunk: Chunk
    start: int
    layout: Layout = PLAIN


@dataclass(frozen=True, slots=True)
class Passage:
    """Statements of one section, in the order of its page."""

    section: RankedSection
    statements: tuple[Statement, ...]


def compose_extractive(
    index: Index, vector: npt.NDArray[np.float32], query: str, result: SearchResult
) -> tuple[Passage, ...]:
    """Return at most three passages, the answer first; empty when nothing fits.

    Args:
        index: The index.
        vector: The question's unit vector, shape (dimension,).
        query: The question as asked.
        result: The search that found the sections.
    """
    composer = _Composer(index, Quotables(index, vector, result), asks_how(query), names_task(query))
    passages: list[Passage] = []
    thin: list[Passage] = []
    for section in _worth_quoting(index, result.sections):
        passage = composer.passage(section)
        if passage is not None and not _is_said(passage, passages):
            (thin if _is_thin(passage) else passages).append(passage)
        if len(passages) == MAX_PASSAGES:
            break
    return tuple(_few_places(_of_their_sections(index, passages or thin[:1])))


def _worth_quoting(index: Index, sections: Sequence[RankedSection]) -> list[RankedSection]:
    """Return the sections that are near enough to the best one, lists of where to read on last."""
    if not sections:
        return []
    floor = sections[0].score * _SECTION_FLOOR
    near = [section for section in sections[:_SECTIONS] if section.score >= floor]
    titles = index.titles_by_id({section.target_id for section in near})
    return sorted(near, key=lambda section: lists_reading(titles[section.target_id]))


@dataclass(slots=True)
class _Composer:
    index: Index
    quotables: Quotables
    shows: bool  # whether the question wants to be shown, so that a passage without code is shown with some
    task: bool  # whether it only names what is to be done, and code about just that shows how

    def passage(self, section: RankedSection, follow: bool = True) -> Passage | None:
        """Return a section's passage; where that only points elsewhere, that of the section it points to."""
        units = self.quotables.of(section)
        chosen = _without_other_rows(units, _best(units))
        if _points_elsewhere([units[at] for at in chosen]):
            further = next(self._pointed_to(section, units), None) if follow else None
            return self.passage(further, follow=False) if further else None
        if self.shows or self.task:
            chosen = sorted({*chosen, *code_for(units, chosen, named=not self.shows)})
        chosen = sorted({*chosen, *_adds(units, chosen)})
        return _passage(section, units, sorted({*chosen, *warnings_near(units, chosen)}))

    def _pointed_to(self, section: RankedSection, units: Sequence[Quotable]) -> Iterator[RankedSection]:
        """Yield the sections that the section's words link to, in its own scope."""
        text = " ".join(unit.text.replace("`", "") for unit in units if unit.stance == "refers")
        for link in self.index.links_from({section.target_id, section.landing_id}):
            if link.text and link.text in text:
                for chunk in self.index.chunks_of_target(link.to_target_id)[:1]:
                    if chunk.scope_id == section.chunk.scope_id:
                        yield replace(section, target_id=chunk.target_id, landing_id=chunk.target_id, chunk=chunk)


def _points_elsewhere(units: Sequence[Quotable]) -> bool:
    """Whether a passage only says where to read, or is a list of links for the most part."""
    refers = sum(unit.stance == "refers" for unit in units)
    told = any(unit.stance != "refers" and unit.kind != "item" for unit in units)
    return refers * 2 >= len(units) and not told


def _best(units: Sequence[Quotable]) -> list[int]:
    """Return the section's opening, or what is clearly nearer to the question; as it is shown whole."""
    at = opening_of(units)
    opening = whole_passage(units, at) if at is not None else []
    told = max((units[one].score for one in opening if units[one].kind != "code"), default=-1.0)
    others = (one for one, unit in enumerate(units) if unit.kind != "code" and one not in opening)
    for one in sorted(others, key=lambda other: -units[other].score):
        if opening and units[one].score < told + _BEATS_OPENING:
            break
        if units[one].stance not in {"asks", "refers", "fragment"} and (passage := whole_passage(units, one)):
            return _read_from(units, opening, passage)
    return opening or [at for at, unit in enumerate(units) if unit.stance == "refers"][:1]


def _adds(units: Sequence[Quotable], chosen: Sequence[int]) -> list[int]:
    """Return what stands further on in a section, whole, if it is nearer to the question than its passage.

    Nothing where that has as many sentences as an answer may have.
    """
    told = max((units[at].score for at in chosen if units[at].kind != "code"), default=1.0)
    near = [at for at, unit in enumerate(units) if at > chosen[-1] and unit.score >= told + _ADDS_TO_OPENING]
    for at in sorted(near, key=lambda one: -units[one].score):
        if units[at].kind == "code" or units[at].stance in {"asks", "refers", "fragment"}:
            continue
        further = whole_passage(units, at)
        while further and further[-1] > at and sentences(units, [*chosen, *further]) > MAX_SENTENCES:
            further.pop()
        fits = further and further[0] > chosen[-1] and sentences(units, [*chosen, *further]) <= MAX_SENTENCES
        return further if fits and units[further[-1]].stance != "announces" else []
    return []


def _without_other_rows(units: Sequence[Quotable], chosen: list[int]) -> list[int]:
    """Return a passage with one row of its table alone, when that is much nearer to the question than all others."""
    rows = sorted((at for at in chosen if units[at].kind == "row"), key=lambda at: -units[at].score)
    if len(rows) < 2 or units[rows[0]].score < units[rows[1]].score + _THE_ROW:
        return chosen
    return [at for at in chosen if at not in rows[1:]]


def _read_from(units: Sequence[Quotable], opening: Sequence[int], passage: list[int]) -> list[int]:
    """Return a passage, from the section's opening on where that is only a sentence or two away."""
    if not opening or opening[0] > passage[0]:
        return passage
    whole = list(range(opening[0], passage[-1] + 1))
    added = {units[at].kind for at in set(whole) - set(passage)}
    fits = {"prose", "term", "code"} if units[opening[0]].kind == "code" else {"prose", "term"}
    return whole if not enough(units, whole[:-1]) and added <= fits and len(whole) <= _NEAR else passage


def _passage(section: RankedSection, units: Sequence[Quotable], chosen: Sequence[int]) -> Passage | None:
    return Passage(section, tuple(_statement(units[at]) for at in chosen)) if chosen else None


def _statement(unit: Quotable) -> Statement:
    sentence = unit.sentence
    return Statement(unit.text, sentence.kind, sentence.target_id, unit.chunk, sentence.start, unit.layout)


def _is_said(passage: Passage, others: Sequence[Passage]) -> bool:
    """Whether others say most of a passage word for word, as versions and summaries do."""
    said = {statement.text for other in others for statement in other.statements}
    new = sum(statement.text not in said for statement in passage.statements)
    return new * 2 < len(passage.statements) or new == 0


def _is_thin(passage: Passage) -> bool:
    """Whether a passage is no more than a few words, such as a version, or the goals that a page sets itself."""
    words = sum(len(statement.text.split()) for statement in passage.statements)
    return words < _FEWEST_WORDS or all(one.layout.note and one.kind == "item" for one in passage.statements)


def _of_their_sections(index: Index, passages: Sequence[Passage]) -> list[Passage]:
    """Return passages whose paragraphs cite the section, whatever anchors are in them, where others of it do."""
    targets = index.targets_by_id({one.target_id for passage in passages for one in passage.statements})
    found: list[Passage] = []
    for passage in passages:
        whole = any(one.target_id == passage.section.target_id for one in passage.statements)
        own = (
            _of_section(one) if whole and targets[one.target_id].kind == "other" else one for one in passage.statements
        )
        found.append(replace(passage, statements=tuple(own)))
    return found


def _few_places(passages: Sequence[Passage]) -> Iterator[Passage]:
    """Yield passages that cite five places together at most: one that cites too many cites its section alone."""
    cited: set[int] = set()
    for number, passage in enumerate(passages):
        own = {statement.target_id for statement in passage.statements} - cited
        left = _MAX_PLACES - len(cited) - (len(passages) - number - 1)
        if len(own) > left:
            passage = replace(passage, statements=tuple(_of_section(one) for one in passage.statements))
            own = {statement.target_id for statement in passage.statements}
        cited |= own
        yield passage


def _of_section(statement: Statement) -> Statement:
    return replace(statement, target_id=statement.chunk.target_id)
