"""Stage 3: an extractive answer. Sentences of the docs, verbatim and whole, in reading order.

One sentence that answers is better than three that are near it: a further one must carry on the first, or hold words
of the question that nothing quoted so far holds.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pincite_core.index.read import Index
from pincite_core.search.ranking import RankedSection, SearchResult
from pincite_core.types import Chunk, UnitKind
from pincite_server.answering.corpus.quotable import Quotable, quotables
from pincite_server.answering.corpus.stances import asks_how

__all__ = ("MAX_SENTENCES", "Statement", "compose_extractive")

MAX_SENTENCES = 3  # chat specification: "Maximum 3 sentences for the main answer"
_SOURCE_SECTIONS = 5  # as many as are cited
_SECTION_FLOOR = 0.60  # a section this much worse than the best one is another subject
_CONTINUES_FLOOR = 0.85  # the next sentence of the paragraph must be about the question as well
_ADDS_FLOOR = 0.85  # a sentence from elsewhere must answer nearly as well as the first ...
_ADDS_SHARE = 0.15  # ... and hold so much, by rarity, of the question that nothing quoted so far holds
_SAME_COSINE = 0.92  # above this two sentences say the same
_PLAIN_FENCE = "```\n"  # a block in no language is mostly a command's output
_LONGEST_CODE = 60  # lines; a longer listing is a page, not an answer


@dataclass(frozen=True, slots=True)
class Statement:
    """A claim of the answer: one unit of a chunk, verbatim, and the innermost target that holds it."""

    text: str
    kind: UnitKind
    target_id: int
    chunk: Chunk
    start: int


def compose_extractive(
    index: Index, vector: npt.NDArray[np.float32], query: str, result: SearchResult
) -> tuple[Statement, ...]:
    """Return at most three sentences and, where the question asks how, one code block; empty when nothing fits.

    Statements are in reading order: the best one's page first, inside a page as the page has them.
    """
    units = quotables(index, vector, result, _worth_quoting(result.sections))
    chosen = _choose([unit for unit in units if not unit.is_code and unit.stance != "asks"], result)
    if asks_how(query) or not chosen or _announce_code(units, chosen):
        chosen.extend(_choose_code(units, chosen))
    return tuple(_statement(unit) for unit in _in_reading_order(chosen))


def _worth_quoting(sections: Sequence[RankedSection]) -> list[RankedSection]:
    if not sections:
        return []
    floor = sections[0].score * _SECTION_FLOOR
    return [section for section in sections[:_SOURCE_SECTIONS] if section.score >= floor]


def _choose(units: Sequence[Quotable], result: SearchResult) -> list[Quotable]:
    """Return the best sentence with what it needs to be understood, and those that add to it; the best one first."""
    ranked = sorted(units, key=lambda unit: (-unit.score, unit.sentence.sentence_id))
    if not ranked:
        return []
    best = ranked[0]
    chosen = [best, *_before(units, best), *_after(units, best)]
    for unit in ranked[1:]:
        if len(chosen) >= MAX_SENTENCES or unit.score < best.score * _ADDS_FLOOR:
            break
        if unit not in chosen and _adds(unit, chosen, result):
            chosen.append(unit)
    return chosen[:MAX_SENTENCES]


def _before(units: Sequence[Quotable], best: Quotable) -> list[Quotable]:
    """Return the sentence that the best one leans back on, or the "Yes." that it explains."""
    previous = [unit for unit in units if best.continues(unit)]
    return [unit for unit in previous if best.stance == "leans" or unit.stance == "fragment"]


def _after(units: Sequence[Quotable], best: Quotable) -> list[Quotable]:
    """Return what the best one announces, or else the sentence that carries it on."""
    if best.stance == "announces":
        listed = [unit for unit in units if unit.chunk == best.chunk and unit.sentence.start > best.sentence.start]
        return sorted(listed[: MAX_SENTENCES - 1], key=lambda unit: unit.sentence.start)
    floor = best.score * _CONTINUES_FLOOR
    return [
        unit for unit in units if unit.continues(best) and unit.stance in {"leans", "stands"} and unit.score >= floor
    ]


def _adds(unit: Quotable, chosen: Sequence[Quotable], result: SearchResult) -> bool:
    """Whether a sentence stands alone, is not said already, and answers a part of the question still open."""
    if unit.stance != "stands" or any(_says_the_same(unit, other) for other in chosen):
        return False
    fresh = unit.held.difference(*(other.held for other in chosen))
    return result.share_of_query(fresh) >= _ADDS_SHARE


def _says_the_same(one: Quotable, other: Quotable) -> bool:
    if one.text == other.text:
        return True
    if one.vector is None or other.vector is None:
        return False
    lengths = float(np.linalg.norm(one.vector) * np.linalg.norm(other.vector))
    return float(one.vector @ other.vector) > _SAME_COSINE * lengths


def _announce_code(units: Sequence[Quotable], chosen: Sequence[Quotable]) -> bool:
    """Whether the best sentence ends with a colon and a code block comes next."""
    return chosen[0].stance == "announces" and any(unit.is_code and unit.follows(chosen[0]) for unit in units)


def _choose_code(units: Sequence[Quotable], chosen: Sequence[Quotable]) -> list[Quotable]:
    """Return the code block that fits best: of the best sentence's section, else of its page, else of any section."""
    blocks = [unit for unit in units if unit.is_code and unit.text.count("\n") <= _LONGEST_CODE]
    best = chosen[0] if chosen else None

    def fitness(unit: Quotable) -> tuple[float, ...]:
        if best is None:
            return (-unit.score, unit.sentence.sentence_id)
        away = unit.sentence.sentence_id - best.sentence.sentence_id
        same_section = unit.section.target_id == best.section.target_id
        same_page = unit.chunk.page_id == best.chunk.page_id
        return (not same_section, not same_page, -unit.share, unit.text.startswith(_PLAIN_FENCE), away < 0, abs(away))

    return sorted(blocks, key=fitness)[:1]


def _in_reading_order(chosen: Sequence[Quotable]) -> list[Quotable]:
    """Order by page as chosen (the best sentence's first), and inside a page as the page has them."""
    page_rank: dict[int, int] = {}
    for rank, unit in enumerate(chosen):
        page_rank.setdefault(unit.chunk.page_id, rank)
    return sorted(chosen, key=lambda unit: (page_rank[unit.chunk.page_id], unit.sentence.sentence_id))


def _statement(unit: Quotable) -> Statement:
    sentence = unit.sentence
    return Statement(unit.text, sentence.kind, sentence.target_id, unit.chunk, sentence.start)
