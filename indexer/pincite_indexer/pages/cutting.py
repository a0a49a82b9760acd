"""A page's pieces cut into targets and chunks, counted within the page, so that pages of the same content share it."""

from collections.abc import Set

from msgspec import Struct

from pincite_indexer.pages.chunking import ChunkDraft, SectionPart, chunks_of
from pincite_indexer.pages.records import Piece
from pincite_indexer.pages.sections import TargetDraft, sections_of

__all__ = ("PageCut", "cut_page")


class PageCut(Struct, frozen=True, gc=False):
    """A page's targets, the section of each of its pieces, and the chunks of each target.

    It holds for one title, which heads every heading path, and one language, by whose rules sentences end.
    """

    title: str
    language: str
    targets: tuple[TargetDraft, ...]
    sections: tuple[int, ...]
    chunks: tuple[tuple[ChunkDraft, ...], ...]
    repeated_blocks: int


def cut_page(pieces: tuple[Piece, ...], title: str, language: str, repeated: Set[str] = frozenset()) -> PageCut:
    """Cut a page's pieces; blocks whose text is in `repeated`, as it stands on most pages, are left out."""
    targets, sections = sections_of(pieces, title)
    chunks: list[tuple[ChunkDraft, ...]] = []
    dropped = 0
    for position, target in enumerate(targets):
        parts = tuple(
            SectionPart(item.block, item.target - position, targets[item.target].heading_path)
            for item in target.blocks
            if item.block.text not in repeated
        )
        dropped += len(target.blocks) - len(parts)
        chunks.append(chunks_of(target.heading_path, parts, language))
        target.blocks.clear()
    return PageCut(title, language, tuple(targets), tuple(sections), tuple(chunks), dropped)
