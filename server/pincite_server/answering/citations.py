"""Build citations and search results. Every field comes from the index, and every anchor in a URL exists."""

from collections import Counter
from collections.abc import Sequence

from pincite_core.citation import Citation, cite
from pincite_core.index.read import Index
from pincite_core.rules import CITATIONS
from pincite_core.search.ranking import RankedSection
from pincite_core.types import Chunk
from pincite_core.urls import join_fragment
from pincite_server.answering.corpus.compose import Statement
from pincite_server.reply.records import SearchHit

__all__ = (
    "MAX_CITATIONS",
    "cite_all",
    "cite_target",
    "excerpt_of",
    "nearest_citations",
    "search_hit",
    "section_excerpt",
)

MAX_CITATIONS = CITATIONS.most


def cite_all(
    index: Index, statements: Sequence[Statement], sections: Sequence[RankedSection]
) -> tuple[dict[int, int], tuple[Citation, ...]]:
    """Number the cited targets in reading order, and add unused sections up to five citations in all.

    The excerpt of a citation is the statement that is nearest to the question. The page highlights the same statement.

    Returns:
        The number of each cited target by its row id, and the citations: used ones first.
    """
    places: dict[int, Statement] = {}
    for statement in statements:
        place = places.setdefault(statement.target_id, statement)
        if statement.score > place.score:
            places[statement.target_id] = statement
    numbers = {target_id: n for n, target_id in enumerate(places, start=1)}
    used = [
        cite_target(index, target_id, numbers[target_id], excerpt_of(place.text), place.chunk.chunk_id)
        for target_id, place in places.items()
    ]
    taken = {statement.chunk.target_id for statement in statements} | set(numbers)
    rest = [section for section in sections if not {section.target_id, section.landing_id} & taken]
    further = _spread(rest, [place.chunk.page_id for place in places.values()])
    return numbers, (*used, *nearest_citations(index, further, len(further)))


def _spread(sections: Sequence[RankedSection], pages: Sequence[int]) -> list[RankedSection]:
    """Return the best sections that fill up the five citations, at most four citations of one page.

    A page may have all five if there are no sections of other pages.

    Args:
        sections: The sections to choose from, best first.
        pages: The page of each citation that is already chosen.
    """
    wanted = max(0, MAX_CITATIONS - len(pages))
    cited = Counter(pages)
    kept: list[RankedSection] = []
    for section in sections:
        if cited[section.chunk.page_id] < CITATIONS.of_one_page:
            cited[section.chunk.page_id] += 1
            kept.append(section)
    left_out = [section for section in sections if section not in kept]
    return [*kept, *left_out][:wanted]


def nearest_citations(index: Index, sections: Sequence[RankedSection], count: int) -> tuple[Citation, ...]:
    """Return unnumbered citations of the first `count` sections."""
    return tuple(
        cite_target(index, section.landing_id, None, section_excerpt(section), section.chunk.chunk_id)
        for section in sections[:count]
    )


def cite_target(index: Index, target_id: int, n: int | None, excerpt: str, chunk_id: int | None) -> Citation:
    """Return the citation of a target; `n` is None when no statement of the answer uses it."""
    target = index.target(target_id)
    return cite(index.page(target.page_id), target, n=n, excerpt=excerpt, chunk_id=chunk_id)


def search_hit(index: Index, section: RankedSection, snippet: str) -> SearchHit:
    """Return a ranked section as a search result."""
    target = index.target(section.landing_id)
    return SearchHit(
        url=join_fragment(index.page(target.page_id).url, target.anchor),
        anchor=target.anchor or None,
        stable_id=target.stable_id,
        title=target.title,
        heading_path=target.heading_path,
        score=round(section.score, 4),
        snippet=snippet,
    )


def excerpt_of(text: str, longest: int = CITATIONS.excerpt) -> str:
    """Return the start of a text on one line, without code fences, cut after a whole word."""
    flat = " ".join(CITATIONS.fence.sub("", text).split())
    if len(flat) <= longest:
        return flat
    return flat[:longest].rsplit(" ", 1)[0].rstrip(",;:") + "…"


def section_excerpt(section: RankedSection) -> str:
    """Return the start of a section's best chunk, from its nearest sentence on."""
    chunk: Chunk = section.chunk
    if section.unit is not None and section.unit.chunk_id == chunk.chunk_id:
        return excerpt_of(chunk.text[section.unit.start :])
    return excerpt_of(chunk.text)
