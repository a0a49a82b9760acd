"""Remove text that addresses an AI assistant (prompt injection), from the first such sentence to the section's end.

The rest of the section is suspicious too. If the question is about assistants, no text is removed: docs about such
attacks must quote them.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from msgspec import structs

from pincite_core.index.read import Index
from pincite_core.quoting.prompt_injection import addressed_from, addresses_assistant, asks_about_assistants
from pincite_core.search.ranking import RankedSection
from pincite_core.types import Chunk

__all__ = ("chunks_for_readers", "sections_for_readers")


def chunks_for_readers(index: Index, target_id: int, question: str, *, mentions: bool = False) -> list[Chunk]:
    """Return a section's chunks up to the first sentence that addresses an AI assistant.

    The result is empty if such text is in the section's headings or the page's breadcrumbs.

    Args:
        index: The index.
        target_id: The section's row id.
        question: The reader's question.
        mentions: Whether text inside quotation marks or code counts too. It may affect a language model.
    """
    chunks = index.chunks_of_target(target_id)
    if asks_about_assistants(question):
        return chunks
    if _is_named_so(index, target_id):
        return []
    return list(_until_addressed(chunks, mentions))


def sections_for_readers(index: Index, sections: Iterable[RankedSection], question: str) -> tuple[RankedSection, ...]:
    """Return the sections whose best chunk has text left, without text that addresses an AI assistant."""
    if asks_about_assistants(question):
        return tuple(sections)
    return tuple(seen for section in sections if (seen := _seen(index, section, question)) is not None)


def _seen(index: Index, section: RankedSection, question: str) -> RankedSection | None:
    chunks = chunks_for_readers(index, section.target_id, question)
    chunk = next((chunk for chunk in chunks if chunk.chunk_id == section.chunk.chunk_id), None)
    if chunk is None or not chunk.text.strip():
        return None
    named = section.landing_id != section.target_id and _is_named_so(index, section.landing_id)
    if chunk == section.chunk and not named:
        return section
    unit = section.unit
    if unit is not None and unit.chunk_id == chunk.chunk_id and unit.end > len(chunk.text):
        unit = None
    return replace(
        section,
        chunk=chunk,
        unit=unit,
        landing_id=section.landing_id if unit and not named else section.target_id,
    )


def _is_named_so(index: Index, target_id: int) -> bool:
    target = index.target(target_id)
    names = (*index.page(target.page_id).breadcrumbs, *target.heading_path)
    return any(map(addresses_assistant, names))


def _until_addressed(chunks: Iterable[Chunk], mentions: bool) -> Iterator[Chunk]:
    for chunk in chunks:
        end = addressed_from(chunk.text, mentions)
        if end is None:
            yield chunk
            continue
        if kept := chunk.text[:end].rstrip():
            yield structs.replace(chunk, text=kept)
        return
