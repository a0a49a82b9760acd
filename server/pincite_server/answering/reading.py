"""The text of a section as the index has it: what an agent reads after a search, or to follow a citation."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pincite_core.index.read import Index
from pincite_core.types import Chunk, Target

__all__ = ("LONGEST_SECTION", "SectionText", "read_section")

LONGEST_SECTION = 20_000  # characters, some 5,000 tokens: more would crowd out what else an agent has to think of


@dataclass(frozen=True, slots=True)
class SectionText:
    """A section with all that is under it, as Markdown, and the sections directly under it.

    `truncated` tells that the text was longer; the subsections then lead to the rest.
    """

    target: Target
    text: str
    truncated: bool
    subsections: tuple[Target, ...]


def read_section(index: Index, target: Target, limit: int = LONGEST_SECTION) -> SectionText:
    """Return the text of a target: a page, a section, or a row or item inside of one.

    Args:
        index: The index that the target is of.
        target: What to read.
        limit: How many characters at most; cut between blocks.
    """
    targets = index.targets_of_page(target.page_id)
    family = _family(targets, target)
    chunks = _chunks_by_target(index.chunks_of_page(target.page_id))
    blocks = list(_blocks(family, chunks)) or _unit_blocks(index, target)
    text, truncated = _joined(blocks, limit)
    below = tuple(one for one in family if one.parent_id == target.target_id and one.target_id in chunks)
    return SectionText(target, text, truncated, below)


def _family(targets: Sequence[Target], root: Target) -> list[Target]:
    """Return a target and those below it, in document order."""
    inside = {root.target_id}
    family = [root]
    for target in targets:
        if target.parent_id in inside and target.target_id not in inside:
            inside.add(target.target_id)
            family.append(target)
    return family


def _chunks_by_target(chunks: Sequence[Chunk]) -> dict[int, list[Chunk]]:
    found: dict[int, list[Chunk]] = {}
    for chunk in chunks:
        found.setdefault(chunk.target_id, []).append(chunk)
    return found


def _blocks(family: Sequence[Target], chunks: Mapping[int, Sequence[Chunk]]) -> Iterator[str]:
    for target in family:
        parts = chunks.get(target.target_id, ())
        if parts and target is not family[0]:
            yield f"{'#' * max(2, target.level)} {target.title}"
        for part in parts:
            yield part.text


def _unit_blocks(index: Index, target: Target) -> list[str]:
    """Return the text of a target inside a section, such as a table row, which has units but no chunk of its own."""
    chunks = {chunk.chunk_id: chunk for chunk in index.chunks_of_page(target.page_id)}
    units = index.sentences_of_chunks(chunks)
    return [chunks[unit.chunk_id].text[unit.start : unit.end] for unit in units if unit.target_id == target.target_id]


def _joined(blocks: Sequence[str], limit: int) -> tuple[str, bool]:
    """Return the blocks joined as far as the limit allows, and whether any was left out; a long first one is cut."""
    text = "\n\n".join(blocks)
    if len(text) <= limit:
        return text, False
    cut = text[:limit]
    return cut[: cut.rfind("\n\n")] if "\n\n" in cut else cut, True
