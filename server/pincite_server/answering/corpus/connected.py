"""The second step, when the evidence is weak: where the best sections lead to and what stands beside them.

The words of a question and those of its answer may have nothing in common, while the page beside one that was found
holds it. This may change what a refusal offers; it does not turn a refusal into an answer, which would let more
questions about other products through than it saves of the docs' own.
"""

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from pincite_core.index.quantise import cosines
from pincite_core.index.read import Index
from pincite_core.search.ranking import RankedSection
from pincite_core.types import Chunk, Target

__all__ = ("connected_sections", "nearest_of_both")

_SECTION_KINDS = frozenset({"page", "heading", "details"})  # kinds of target that a section begins at


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
    chunks = [
        chunk
        for target_id in reached
        if target_id not in found
        for chunk in index.chunks_of_target(target_id)
        if chunk.scope_id in scope_ids
    ]
    scores = cosines(vector, index.vectors([chunk.vector_id for chunk in chunks])).tolist() if chunks else []
    best: dict[int, tuple[float, Chunk]] = {}
    for score, chunk in sorted(zip(scores, chunks, strict=True), key=lambda pair: -pair[0]):
        best.setdefault(chunk.target_id, (score, chunk))
    return tuple(_section(chunk, score) for score, chunk in list(best.values())[:count])


def nearest_of_both(found: Sequence[RankedSection], around: Sequence[RankedSection]) -> tuple[RankedSection, ...]:
    """Return what was found; the best section around takes the last place if it is nearer than all, on another page.

    Those found were judged by more than one cosine, and who opens a page sees what stands around a section.
    """
    pages, best = {section.chunk.page_id for section in found}, max((section.cosine for section in found), default=1.0)
    nearer = [section for section in around[:1] if section.cosine > best and section.chunk.page_id not in pages]
    return (*found[: len(found) - len(nearer)], *nearer)


def _around(index: Index, section: RankedSection) -> Iterator[int]:
    """Yield the targets that a section links to, then its parent, its children, and those before and after it."""
    yield from (link.to_target_id for link in index.links_from({section.target_id, section.landing_id}))
    own = index.target(section.target_id)
    beside = [target for target in index.targets_of_page(own.page_id) if target.kind in _SECTION_KINDS]
    place = next((at for at, target in enumerate(beside) if target.target_id == own.target_id), None)
    next_to = beside[max(0, place - 1) : place + 2] if place is not None else []
    yield from (target.target_id for target in beside if _is_kin(target, own) or target in next_to)


def _is_kin(target: Target, own: Target) -> bool:
    return target.target_id == own.parent_id or target.parent_id == own.target_id


def _section(chunk: Chunk, score: float) -> RankedSection:
    return RankedSection(chunk.target_id, chunk.target_id, chunk, None, score, score)
