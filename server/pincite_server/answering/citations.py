"""Citations: every field out of the index, every URL the page's own plus an anchor that exists."""

from collections.abc import Sequence

from pincite_core.read import Index
from pincite_core.search import RankedSection
from pincite_core.types import Chunk, Page, Target
from pincite_core.urls import join_fragment
from pincite_server.answering.compose import Statement
from pincite_server.model import Citation, SearchHit

__all__ = ("MAX_CITATIONS", "cite_all", "cite_target", "excerpt_of", "nearest_citations", "search_hit", "url_of")

MAX_CITATIONS = 5  # chat specification: "Top-K = 5"
_EXCERPT = 200  # characters; selected-text validation's excerpt length


def url_of(page: Page, target: Target) -> str:
    """Return a target's root-relative URL."""
    return join_fragment(page.url, target.anchor)


def cite_all(
    index: Index, statements: Sequence[Statement], sections: Sequence[RankedSection]
) -> tuple[dict[int, int], tuple[Citation, ...]]:
    """Number the statements' targets in the order they are read, and add further qualifying sections, five in all.

    Returns:
        The number of each cited target by its row id, and the citations: used ones first.
    """
    numbers: dict[int, int] = {}
    used: list[Citation] = []
    for statement in statements:
        if statement.target_id not in numbers:
            numbers[statement.target_id] = len(numbers) + 1
            excerpt = excerpt_of(statement.text)
            used.append(
                cite_target(index, statement.target_id, numbers[statement.target_id], excerpt, statement.chunk.chunk_id)
            )
    taken = {statement.chunk.target_id for statement in statements} | set(numbers)
    rest = [section for section in sections if not {section.target_id, section.landing_id} & taken]
    further = nearest_citations(index, rest, max(0, MAX_CITATIONS - len(used)))
    return numbers, (*used, *further)


def nearest_citations(index: Index, sections: Sequence[RankedSection], count: int) -> tuple[Citation, ...]:
    """Return unnumbered citations of the first `count` sections."""
    return tuple(
        cite_target(index, section.landing_id, 0, _section_excerpt(section), section.chunk.chunk_id)
        for section in sections[:count]
    )


def cite_target(index: Index, target_id: int, n: int, excerpt: str, chunk_id: int | None) -> Citation:
    """Return the citation of a target; `n` is 0 when no statement of the answer uses it."""
    target = index.target(target_id)
    page = index.page(target.page_id)
    return Citation(
        n=n,
        used=n > 0,
        stable_id=target.stable_id,
        title=_title(page),
        heading_path=target.heading_path,
        section=target.title if target.anchor else "",
        page=page.title,
        url=url_of(page, target),
        anchor=target.anchor or None,
        chunk_id=chunk_id,
        source_type=page.source_type,
        excerpt=excerpt,
        verified=True,
        landing=target.landing,
    )


def search_hit(index: Index, section: RankedSection) -> SearchHit:
    """Return a ranked section as a search result."""
    target = index.target(section.landing_id)
    return SearchHit(
        url=url_of(index.page(target.page_id), target),
        anchor=target.anchor or None,
        stable_id=target.stable_id,
        title=target.title,
        heading_path=target.heading_path,
        score=round(section.score, 4),
        snippet=_section_excerpt(section),
    )


def excerpt_of(text: str) -> str:
    """Return the start of a text on one line, cut after a whole word."""
    flat = " ".join(text.split())
    if len(flat) <= _EXCERPT:
        return flat
    return flat[:_EXCERPT].rsplit(" ", 1)[0].rstrip(",;:") + "…"


def _section_excerpt(section: RankedSection) -> str:
    chunk: Chunk = section.chunk
    if section.sentence is not None and section.sentence.chunk_id == chunk.chunk_id:
        return excerpt_of(chunk.text[section.sentence.start :])
    return excerpt_of(chunk.text)


def _title(page: Page) -> str:
    """Return `Module: Chapter`, the part of the citation format before the URL."""
    module = next((crumb for crumb in page.breadcrumbs if crumb != page.title), "")
    return f"{module}: {page.title}" if module else page.title
