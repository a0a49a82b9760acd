"""Read a section with its subsections as Markdown, with the omitted parts and the neighbouring sections.

`named_sections` finds the section of a stable ID.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from pincite_core.index.read import Index
from pincite_core.types import Chunk, Target, TextLink
from pincite_core.urls import join_fragment
from pincite_server.answering.markdown import markdown_link
from pincite_server.answering.section_cut import SectionPart, fitted
from pincite_server.answering.section_markdown import LinkWriter, MarkdownBlock, section_blocks

__all__ = ("LONGEST_SECTION", "SectionText", "read_section")

LONGEST_SECTION = 20_000  # characters, some 5,000 tokens, to leave an agent room in its context window
_BESIDE = 10  # siblings listed on each side
_MOST_NAMED = 50  # left-out sections that are listed; an API reference may have thousands


@dataclass(frozen=True, slots=True)
class SectionText:
    """A section with its subsections as Markdown.

    Attributes:
        target: The section.
        text: The Markdown, without the section's own heading.
        missing: A description of the omitted part; "" if the text is complete.
        left_out: The first 50 sections that contain the omitted part, each with its subsections.
        parent: The section that contains this one; None for a page.
        siblings: The nearest sections with the same parent, ten before and ten after this one.
        subsections: The sections directly below this one.
    """

    target: Target
    text: str
    missing: str
    left_out: tuple[Target, ...]
    parent: Target | None
    siblings: tuple[Target, ...]
    subsections: tuple[Target, ...]

    @property
    def truncated(self) -> bool:
        """Whether anything was left out."""
        return bool(self.missing)


def read_section(
    index: Index, target: Target, limit: int = LONGEST_SECTION, absolute: Callable[[str], str] | None = None
) -> SectionText:
    """Return the text of a target: a page, a section, or a row or item inside a section.

    Args:
        index: The index that contains the target.
        target: The target to read.
        limit: The maximum length in characters. The text is cut between blocks. Only a block that is longer than the
            limit is cut inside.
        absolute: Makes a root-relative URL absolute, to write links. Without this function, links are left out.
    """
    targets = index.targets_of_page(target.page_id)
    chunks = _by_target(index.chunks_of_page(target.page_id))
    sections = _sections(targets, chunks)
    link = _link_writer(index, chunks, absolute) if absolute else None
    parts = [
        SectionPart.of(
            one, _own_blocks(index, one, chunks.get(one.target_id, ()), link), root=one.target_id == target.target_id
        )
        for one in _family(sections, target)
    ]
    if not parts:
        parts = [SectionPart.of(target, _blocks_inside(index, targets, chunks, target, link), root=True)]
    cut = fitted(parts, limit)
    return SectionText(
        target,
        cut.text,
        cut.missing,
        cut.left_out[:_MOST_NAMED],
        next((one for one in targets if one.target_id == target.parent_id), None),
        _siblings(sections, target),
        tuple(one for one in sections if one.parent_id == target.target_id),
    )


def _by_target(chunks: Sequence[Chunk]) -> dict[int, list[Chunk]]:
    found: dict[int, list[Chunk]] = {}
    for chunk in chunks:
        found.setdefault(chunk.target_id, []).append(chunk)
    return found


def _sections(targets: Sequence[Target], chunks: Mapping[int, Sequence[Chunk]]) -> list[Target]:
    """Return the sections of a page with text, their own or that of a subsection, in document order."""
    filled: set[int] = set()
    for target in reversed(targets):  # a parent precedes its children
        if target.target_id in chunks or target.target_id in filled:
            filled.update({target.target_id} if target.parent_id is None else {target.target_id, target.parent_id})
    return [target for target in targets if target.target_id in filled]


def _family(targets: Sequence[Target], root: Target) -> list[Target]:
    """Return the root and the targets below it, in document order."""
    inside = {root.target_id}
    family: list[Target] = []
    for target in targets:
        if target.target_id in inside or target.parent_id in inside:
            inside.add(target.target_id)
            family.append(target)
    return family


def _siblings(sections: Sequence[Target], target: Target) -> tuple[Target, ...]:
    """Return the nearest sections with the same parent; none for a page, a row or an item."""
    row = [one for one in sections if one.parent_id == target.parent_id]
    at = next((at for at, one in enumerate(row) if one.target_id == target.target_id), None)
    if target.parent_id is None or at is None:
        return ()
    return (*row[max(0, at - _BESIDE) : at], *row[at + 1 : at + 1 + _BESIDE])


def _own_blocks(index: Index, target: Target, chunks: Sequence[Chunk], link: LinkWriter | None) -> list[MarkdownBlock]:
    """Return a section's own blocks, without a label that repeats the title, as on pages whose title has no id."""
    blocks = section_blocks(chunks, index.units_of_chunks(chunk.chunk_id for chunk in chunks), link)
    repeats = bool(blocks) and not blocks[0].units and blocks[0].text == f"**{target.title}**"
    return blocks[repeats:]


def _blocks_inside(
    index: Index,
    targets: Sequence[Target],
    chunks: Mapping[int, Sequence[Chunk]],
    target: Target,
    link: LinkWriter | None,
) -> list[MarkdownBlock]:
    """Return the blocks of a target that has no chunk of its own, such as a table row."""
    within = {one.target_id for one in _family(targets, target)}
    around, by_id = target, {one.target_id: one for one in targets}
    while around.target_id not in chunks and around.parent_id is not None:
        around = by_id[around.parent_id]
    held = chunks.get(around.target_id, ())
    units = index.units_of_chunks(chunk.chunk_id for chunk in held)
    blocks = {(unit.chunk_id, unit.block) for unit in units if unit.target_id in within}
    return section_blocks(held, [unit for unit in units if (unit.chunk_id, unit.block) in blocks], link)


def _link_writer(index: Index, chunks: Mapping[int, Sequence[Chunk]], absolute: Callable[[str], str]) -> LinkWriter:
    """Return a function that writes a link of some sections as Markdown with its absolute URL."""
    units = index.units_of_chunks(chunk.chunk_id for of_section in chunks.values() for chunk in of_section)
    goals = index.targets_by_id({link.to for unit in units for link in unit.links if isinstance(link.to, int)})
    pages = index.pages_by_id({goal.page_id for goal in goals.values()})

    def write(link: TextLink, words: str) -> str:
        if isinstance(link.to, str):
            return markdown_link(words, link.to)
        goal = goals.get(link.to)
        return markdown_link(words, absolute(join_fragment(pages[goal.page_id].url, goal.anchor))) if goal else words

    return write
