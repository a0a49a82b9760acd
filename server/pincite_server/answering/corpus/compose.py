"""Stage 3, composition: build a quoted answer from verbatim passages, those of the best section first."""

from collections import Counter
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from pincite_core.budget import check_budget
from pincite_core.index.read import Index
from pincite_core.phrasing import asked_in
from pincite_core.quoting.unit_facts import asks_how, lists_reading, names_task
from pincite_core.rules import COMPOSING
from pincite_core.search.ranking import RankedSection, SearchResult
from pincite_core.types import Chunk, Unit, UnitKind
from pincite_server.answering.corpus.linked_sections import follow_reference
from pincite_server.answering.corpus.passage_selection import points_elsewhere, quoted
from pincite_server.answering.corpus.unit_scoring import ScoredUnit, UnitScorer

__all__ = ("MAX_PASSAGES", "Passage", "Statement", "compose_extractive")

MAX_PASSAGES = COMPOSING.passages
_NO_UNIT = Unit(0, 0, 0, 0, 0, 0, "prose", 0)


@dataclass(frozen=True, slots=True)
class Statement:
    """A claim of the answer: one verbatim unit of a chunk, and the innermost target that contains it."""

    text: str
    kind: UnitKind
    target_id: int
    chunk: Chunk
    start: int
    unit: Unit = _NO_UNIT
    score: float = 0.0  # the unit's score for the question


@dataclass(frozen=True, slots=True)
class Passage:
    """Statements of one section, in page order."""

    section: RankedSection
    statements: tuple[Statement, ...]


def compose_extractive(
    index: Index, vector: npt.NDArray[np.float32], query: str, result: SearchResult
) -> tuple[Passage, ...]:
    """Return at most five passages, the answer first; empty if no passage fits.

    Args:
        index: The index.
        vector: The question's unit vector, shape (dimension,).
        query: The question as asked.
        result: The search that found the sections.
    """
    spoken = asked_in(query, result.query.language)
    shows, task = asks_how(query, spoken), names_task(query, spoken)
    composer = _Composer(index, vector, UnitScorer(index, vector, result), shows, task)
    passages: list[Passage] = []
    thin: list[Passage] = []
    for section in _worth_quoting(index, result):
        passage = composer.passage(section, len(passages))
        if passage is not None and not _is_said(passage, passages):
            (thin if _is_thin(passage) else passages).append(passage)
        if len(passages) == MAX_PASSAGES:
            break
    passages = composer.with_references(passages)
    return tuple(_few_places(_of_their_sections(index, passages or thin[:1])))


def _worth_quoting(index: Index, result: SearchResult) -> list[RankedSection]:
    """Return the sections that score near the best one, at most four of a page, with lists of further reading last."""
    sections = result.sections
    if not sections:
        return []
    floor = sections[0].score * COMPOSING.section_floor
    of_page: Counter[int] = Counter()
    near: list[RankedSection] = []
    for section in sections:
        of_page[section.chunk.page_id] += 1
        if section.score >= floor and of_page[section.chunk.page_id] <= COMPOSING.of_a_page:
            near.append(section)
    near = near[: COMPOSING.sections]
    titles = index.titles_by_id({section.target_id for section in near})
    return sorted(near, key=lambda section: lists_reading(titles[section.target_id].text, result.query.language))


@dataclass(slots=True)
class _Composer:
    index: Index
    vector: npt.NDArray[np.float32]
    scorer: UnitScorer
    shows: bool  # whether the question asks how, so that a passage without code gets a code block
    task: bool  # whether the question only names a task, which a code block with its words may answer

    def passage(self, section: RankedSection, number: int, follow: bool = True) -> Passage | None:
        """Return a section's passage. If the section only refers to another one, return that section's passage."""
        check_budget()
        units = self.scorer.of(section)
        chosen = quoted(units, COMPOSING.budgets[min(number, len(COMPOSING.budgets) - 1)], self.shows, self.task)
        if points_elsewhere(units, chosen):
            further = follow_reference(self.index, self.vector, section, units) if follow else None
            return self.passage(further, number, follow=False) if further else None
        return _passage(section, units, chosen)

    def with_references(self, passages: list[Passage]) -> list[Passage]:
        """Insert the passage of a section that another passage refers to, if it is nearer to the question.

        At most one passage is added. It replaces the last passage only if it is nearer than all passages, because
        search ranked those by more signals than the cosine.
        """
        best = max((passage.section.cosine for passage in passages), default=1.0)
        for number, passage in enumerate(passages, 1):
            section = passage.section
            further = follow_reference(self.index, self.vector, section, self.scorer.of(section))
            least = section.cosine if len(passages) < MAX_PASSAGES else best
            if further is not None and further.cosine > least:
                added = self.passage(further, number, follow=False)
                if added is not None and not _is_thin(added) and not _is_said(added, passages):
                    return [*passages[:number], added, *passages[number:]][:MAX_PASSAGES]
        return passages


def _passage(section: RankedSection, units: Sequence[ScoredUnit], chosen: Sequence[int]) -> Passage | None:
    return Passage(section, tuple(_by_term([_statement(units[at]) for at in chosen]))) if chosen else None


def _by_term(statements: Sequence[Statement]) -> Iterator[Statement]:
    """Yield statements so that a definition and its term's other names cite the anchor of the term's last name."""
    term: Statement | None = None
    for number, one in enumerate(statements):
        if one.kind == "term":
            term = one
            for other in statements[number + 1 :]:
                if other.kind != "term":
                    break
                term = other
        cites_term = term is not None and term.target_id != term.chunk.target_id and one.kind != "row"
        yield replace(one, target_id=term.target_id) if term is not None and cites_term else one


def _statement(unit: ScoredUnit) -> Statement:
    row = unit.unit
    return Statement(unit.text, row.kind, row.target_id, unit.chunk, row.start, row, unit.score)


def _is_said(passage: Passage, others: Sequence[Passage]) -> bool:
    """Whether other passages contain most of a passage verbatim, as versions and summaries do."""
    said = {statement.text for other in others for statement in other.statements}
    new = sum(statement.text not in said for statement in passage.statements)
    return new * 2 < len(passage.statements) or new == 0


def _is_thin(passage: Passage) -> bool:
    """Whether a passage has fewer than four words, such as a version, or is only a list in an admonition.

    Such a list is often the goals of the page.
    """
    words = sum(len(statement.text.split()) for statement in passage.statements)
    return words < COMPOSING.fewest_words or all(
        one.unit.admonition and one.kind == "item" for one in passage.statements
    )


def _of_their_sections(index: Index, passages: Sequence[Passage]) -> list[Passage]:
    """Return passages whose paragraphs cite their section instead of an anchor inside the section.

    This applies only if another statement of the passage cites the section. The nearest statement keeps the anchor at
    its position.
    """
    targets = index.targets_by_id({one.target_id for passage in passages for one in passage.statements})
    found: list[Passage] = []
    for passage in passages:
        whole = any(one.target_id == passage.section.target_id for one in passage.statements)
        nearest = max(passage.statements, key=lambda one: one.score).target_id
        stays = {one for one in targets if targets[one].kind != "other" or not whole} | {nearest}
        own = (one if one.target_id in stays else _of_section(one) for one in passage.statements)
        found.append(replace(passage, statements=tuple(own)))
    return found


def _few_places(passages: Sequence[Passage]) -> Iterator[Passage]:
    """Yield passages that cite at most five places together; from the fourth on, only passages that still get one."""
    cited: set[int] = set()
    for number, passage in enumerate(passages):
        left = COMPOSING.places - len(cited) - max(0, min(len(passages), COMPOSING.sure) - number - 1)
        if left > 0:
            passage = _of_places(passage, cited, left)
            cited |= {statement.target_id for statement in passage.statements}
            yield passage


def _of_places(passage: Passage, cited: Set[int], left: int) -> Passage:
    """Return a passage that cites at most `left` new places: the nearest ones, and the section for all others."""
    near = sorted(passage.statements, key=lambda one: -one.score)
    places = [one for one in dict.fromkeys(one.target_id for one in near) if one not in cited]
    if len(places) <= left:
        return passage
    section = near[0].chunk.target_id
    kept = {*cited, section, *[place for place in places if place != section][: left - (section not in cited)]}
    own = (one if one.target_id in kept else _of_section(one) for one in passage.statements)
    return replace(passage, statements=tuple(own))


def _of_section(statement: Statement) -> Statement:
    return replace(statement, target_id=statement.chunk.target_id)
