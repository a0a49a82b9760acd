"""The second step: where the best sections lead to, looked through with the question.

The words of a question and those of its answer may have nothing in common, while what the page that was found sends its
readers to holds it. Where the evidence is weak, this may change what a refusal offers, and does not turn it into an
answer: that would let more questions about other products through than it saves of the docs' own.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from pincite_core.index.quantise import cosines
from pincite_core.index.read import Index
from pincite_core.search.ranking import RankedSection
from pincite_core.types import SECTION_KINDS, Chunk, Target
from pincite_server.answering.corpus.quotable import ScoredUnit

__all__ = ("connected_sections", "nearest_of_both", "pointed_to")


def connected_sections(
    index: Index,
    vector: npt.NDArray[np.float32],
    sections: Sequence[RankedSection],
    scope_ids: Sequence[int],
    count: int,
) -> tuple[RankedSection, ...]:
    """Return the `count` nearest of the sections that some sections link to, or that stand around them on their page.

    Args:
        index: The index.
        vector: The question's unit vector, shape (dimension,).
        sections: Those found, none of which is returned again.
        scope_ids: The only scopes that may be reached.
        count: How many, at most; each one's `score` is its best chunk's cosine.
    """
    found = {target_id for section in sections for target_id in (section.target_id, section.landing_id)}
    reached = dict.fromkeys(target_id for section in sections for target_id in _around(index, section))
    near = _nearest(index, vector, [target_id for target_id in reached if target_id not in found], scope_ids)
    return tuple(_section(chunk, score) for score, chunk in near[:count])


def nearest_of_both(found: Sequence[RankedSection], around: Sequence[RankedSection]) -> tuple[RankedSection, ...]:
    """Return what was found; the best section around takes the last place if it is nearer than all, on another page.

    Those found were judged by more than one cosine, and who opens a page sees what stands around a section.
    """
    pages, best = {section.chunk.page_id for section in found}, max((section.cosine for section in found), default=1.0)
    nearer = [section for section in around[:1] if section.cosine > best and section.chunk.page_id not in pages]
    return (*found[: len(found) - len(nearer)], *nearer)


def pointed_to(
    index: Index, vector: npt.NDArray[np.float32], section: RankedSection, units: Sequence[ScoredUnit]
) -> RankedSection | None:
    """Return the nearest of what a section's own words send the reader to ("see X"); None when they name no place.

    A link to a page or to a heading leads to the sections below it as well, as a reader would look there.

    Args:
        index: The index.
        vector: The question's unit vector, shape (dimension,).
        section: What sends the reader elsewhere.
        units: The section's.
    """
    words = " ".join(unit.text.replace("`", "") for unit in units if unit.role == "refers")
    own = {section.target_id, section.landing_id}
    links = [link for link in index.links_from(own) if link.text and link.text in words] if words else []
    reached = dict.fromkeys(below for link in links for below in _with_those_below(index, link.to_target_id))
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
    """Return the best chunk of each target, within some scopes, and its cosine; the nearest first."""
    chunks = [chunk for target in target_ids for chunk in index.chunks_of_target(target) if chunk.scope_id in scope_ids]
    scores = cosines(vector, index.vectors([chunk.vector_id for chunk in chunks])).tolist() if chunks else []
    best: dict[int, tuple[float, Chunk]] = {}
    for score, chunk in sorted(zip(scores, chunks, strict=True), key=lambda pair: -pair[0]):
        best.setdefault(chunk.target_id, (score, chunk))
    return list(best.values())


def _around(index: Index, section: RankedSection) -> Iterator[int]:
    """Yield the targets that a section links to, then its parent, its children, and those before and after it."""
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
