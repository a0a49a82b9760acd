"""Follow links: search the sections that the best results link to, and the sections around them.

The words of a question and of its answer may differ completely, while the found page links to the answer. If the
evidence is weak, these sections only change the suggestions of a refusal. Answers from them would gain fewer questions
about the docs than they would let through about other products.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from pincite_core.index.quantise import cosines
from pincite_core.index.read import Index
from pincite_core.search.ranking import RankedSection
from pincite_core.types import SECTION_KINDS, Chunk, Target
from pincite_server.answering.corpus.unit_scoring import ScoredUnit

__all__ = ("follow_reference", "linked_sections", "nearest_of_both")


def linked_sections(
    index: Index,
    vector: npt.NDArray[np.float32],
    sections: Sequence[RankedSection],
    scope_ids: Sequence[int],
    count: int,
) -> tuple[RankedSection, ...]:
    """Return the `count` sections nearest to the question, among those linked from or next to the given sections.

    Args:
        index: The index.
        vector: The question's unit vector, shape (dimension,).
        sections: The sections that search found; none of these is returned again.
        scope_ids: The scopes that the result may come from.
        count: The maximum number; the `score` of each section is the cosine of its best chunk.
    """
    found = {target_id for section in sections for target_id in (section.target_id, section.landing_id)}
    reached = dict.fromkeys(target_id for section in sections for target_id in _around(index, section))
    near = _nearest(index, vector, [target_id for target_id in reached if target_id not in found], scope_ids)
    return tuple(_section(chunk, score) for score, chunk in near[:count])


def nearest_of_both(found: Sequence[RankedSection], around: Sequence[RankedSection]) -> tuple[RankedSection, ...]:
    """Return the found sections; the best connected one replaces the last if it is the nearest and on another page.

    Search ranks the found sections by more signals than the cosine. A section on the same page is left out, because a
    reader of the page sees it anyway.
    """
    pages, best = {section.chunk.page_id for section in found}, max((section.cosine for section in found), default=1.0)
    nearer = [section for section in around[:1] if section.cosine > best and section.chunk.page_id not in pages]
    return (*found[: len(found) - len(nearer)], *nearer)


def follow_reference(
    index: Index, vector: npt.NDArray[np.float32], section: RankedSection, units: Sequence[ScoredUnit]
) -> RankedSection | None:
    """Return the nearest section that the text refers to ("see X"); None if it refers to no section.

    A link to a page or to a heading also leads to the sections below it, as a reader would look there.

    Args:
        index: The index.
        vector: The question's unit vector, shape (dimension,).
        section: The section that contains the reference.
        units: The section's units.
    """
    links = [link.to for unit in units if unit.role == "refers" for link in unit.unit.links]
    own = {section.target_id, section.landing_id}
    goals = index.targets_by_id(to for to in links if isinstance(to, int))
    reached = dict.fromkeys(below for target_id in goals for below in _with_those_below(index, target_id))
    near = _nearest(
        index, vector, [target_id for target_id in reached if target_id not in own], [section.chunk.scope_id]
    )
    for score, chunk in near[:1]:
        return replace(_section(chunk, score), score=section.score)
    return None


def _with_those_below(index: Index, target_id: int) -> Iterator[int]:
    yield target_id
    own = index.target(target_id)
    if own.kind in SECTION_KINDS:
        beside = index.targets_of_page(own.page_id)
        yield from (target.target_id for target in beside if own.kind == "page" or target.parent_id == target_id)


def _nearest(
    index: Index, vector: npt.NDArray[np.float32], target_ids: Iterable[int], scope_ids: Sequence[int]
) -> list[tuple[float, Chunk]]:
    """Return the best chunk of each target in some scopes, with its cosine, nearest first."""
    chunks = [chunk for target in target_ids for chunk in index.chunks_of_target(target) if chunk.scope_id in scope_ids]
    scores = cosines(vector, index.vectors([chunk.vector_id for chunk in chunks])).tolist() if chunks else []
    best: dict[int, tuple[float, Chunk]] = {}
    for score, chunk in sorted(zip(scores, chunks, strict=True), key=lambda pair: -pair[0]):
        best.setdefault(chunk.target_id, (score, chunk))
    return list(best.values())


def _around(index: Index, section: RankedSection) -> Iterator[int]:
    """Yield the targets that a section links to, then its parent, its children, its predecessor and its successor."""
    yield from (link.to_target_id for link in index.links_from({section.target_id, section.landing_id}))
    own = index.target(section.target_id)
    beside = [target for target in index.targets_of_page(own.page_id) if target.kind in SECTION_KINDS]
    place = next((at for at, target in enumerate(beside) if target.target_id == own.target_id), None)
    next_to = beside[max(0, place - 1) : place + 2] if place is not None else []
    yield from (target.target_id for target in beside if _is_kin(target, own) or target in next_to)


def _is_kin(target: Target, own: Target) -> bool:
    return target.target_id == own.parent_id or target.parent_id == own.target_id


def _section(chunk: Chunk, score: float) -> RankedSection:
    return RankedSection(chunk.target_id, chunk.target_id, chunk, None, score, score)
