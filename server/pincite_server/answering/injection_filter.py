"""Leave out text that addresses an AI assistant (prompt injection). The index says which units do.

If the question is about assistants, no text is left out: docs about such attacks must quote them.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from msgspec import structs

from pincite_core.index.read import Index
from pincite_core.quoting.prompt_injection import asks_about_assistants
from pincite_core.search.ranking import RankedSection
from pincite_core.types import Chunk, Unit, UnitFact

__all__ = ("readable_sections", "readable_units")


def readable_units(index: Index, chunks: Iterable[Chunk], question: str, *, mentions: bool = False) -> list[Unit]:
    """Return the units of a section's chunks up to the first one that addresses an AI assistant.

    Args:
        index: The index.
        chunks: The chunks.
        question: The reader's question.
        mentions: Whether text inside quotation marks or code counts too. It may affect a language model.
    """
    units = index.units_of_chunks(chunk.chunk_id for chunk in chunks)
    if asks_about_assistants(question):
        return units
    fact: UnitFact = "quoted_injection" if mentions else "injection"
    return [unit for unit in units if not unit.has(fact)]


def readable_sections(index: Index, sections: Sequence[RankedSection], question: str) -> tuple[RankedSection, ...]:
    """Return the sections whose best chunk has readable units, with its text up to the last one."""
    if asks_about_assistants(question):
        return tuple(sections)
    units = index.units_of_chunks({section.chunk.chunk_id for section in sections})
    of_chunks = {chunk_id: list(own) for chunk_id, own in groupby(units, lambda unit: unit.chunk_id)}
    return tuple(_readable(sections, of_chunks))


def _readable(sections: Iterable[RankedSection], of_chunks: dict[int, list[Unit]]) -> Iterator[RankedSection]:
    for section in sections:
        units = of_chunks.get(section.chunk.chunk_id, [])
        readable = [unit for unit in units if not unit.has("injection")]
        if len(readable) == len(units):
            yield section
        elif readable:
            chunk = structs.replace(section.chunk, text=section.chunk.text[: readable[-1].end])
            is_kept = section.unit in readable
            landing = section.landing_id if is_kept else section.target_id
            yield replace(section, chunk=chunk, unit=section.unit if is_kept else None, landing_id=landing)
