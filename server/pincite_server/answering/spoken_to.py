"""What of a section is said to readers: all before the first sentence that addresses an assistant.

What follows such a sentence in its section is under the same suspicion. A question that is about assistants themselves
may be answered with it, as docs about such attacks must be.
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
    """Return a section's parts, the last one cut where it begins to address an assistant.

    None are left where its headings, or what its page stands under, do.

    Args:
        index: The index.
        target_id: The section's row id.
        question: What is asked.
        mentions: Whether what is only quoted or set as code counts too, as it may to a model.
    """
    chunks = index.chunks_of_target(target_id)
    if asks_about_assistants(question):
        return chunks
    if _is_named_so(index, target_id):
        return []
    return list(_until_addressed(chunks, mentions))


def sections_for_readers(index: Index, sections: Iterable[RankedSection], question: str) -> tuple[RankedSection, ...]:
    """Return sections without what addresses an assistant in their best part, and only those of which some is left."""
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
    sentence = section.sentence
    if sentence is not None and sentence.chunk_id == chunk.chunk_id and sentence.end > len(chunk.text):
        sentence = None
    return replace(
        section,
        chunk=chunk,
        sentence=sentence,
        landing_id=section.landing_id if sentence and not named else section.target_id,
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
