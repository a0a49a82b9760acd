"""Define the draft of a page: its facts, its content, and the content's targets and chunks.

Worker processes return drafts. Targets and chunks are numbered within the page, so that pages with the same content
share them.
"""

import hashlib
from collections.abc import Set

from msgspec import Struct, msgpack
from msgspec.structs import replace

from pincite_indexer.generators.generator import PAGES
from pincite_indexer.pages.chunking import ChunkDraft, SectionPart, chunks_of
from pincite_indexer.pages.records import Block, Facts, Heading, LinkDraft, Piece
from pincite_indexer.pages.sections import TargetDraft, sections_of, shortened

__all__ = ("PageCut", "PageDraft", "cut_page", "has_text", "page_title", "pieces_digest", "without_pieces")


class PageCut(Struct, frozen=True, gc=False):
    """Targets of a page, the section of each piece, and the chunks of each target.

    A cut is valid for one title and one language. The title starts every heading path, and the language selects the
    sentence rules.
    """

    title: str
    language: str
    targets: tuple[TargetDraft, ...]
    sections: tuple[int, ...]
    chunks: tuple[tuple[ChunkDraft, ...], ...]
    repeated_blocks: int


class PageDraft(Struct, frozen=True, gc=False):
    """Draft of one page."""

    file: str  # path relative to the site's folder
    facts: Facts
    pieces: tuple[Piece, ...] = ()
    links: tuple[LinkDraft, ...] = ()
    ids: frozenset[str] = frozenset()  # all IDs of the whole page, to check fragments
    has_root: bool = False  # whether the page has an element with its content
    digest: bytes = b""  # of the pieces
    repeated_ids: tuple[str, ...] = ()  # IDs of more than one element, in order; browsers jump to the first
    cut: PageCut | None = None  # for the title and language that the page declares
    letters: str = ""  # that readers see in and near the content, to prove a selection
    garbled: str = ""  # what is wrong with its characters
    unread: tuple[tuple[str, int], ...] = ()  # kinds of parts whose text cannot be read, with their numbers
    edges: tuple[tuple[str, tuple[int, ...]], ...] = ()  # place and pieces of each element around the content's text
    other_hrefs: tuple[str, ...] = ()  # targets of the links there, without the targets in `links`


def pieces_digest(pieces: tuple[Piece, ...]) -> bytes:
    """Return a hash that is equal for pages with the same content."""
    return hashlib.blake2b(msgpack.encode(pieces), digest_size=16).digest()


def has_text(draft: PageDraft) -> bool:
    """Return whether a page has text besides headings."""
    return any(isinstance(piece, Block) for piece in draft.pieces)


def without_pieces(draft: PageDraft, dropped: Set[int]) -> PageDraft:
    """Return a page without some pieces and their links; the result has no cut."""
    kept = [place for place in range(len(draft.pieces)) if place not in dropped]
    pieces = tuple(draft.pieces[place] for place in kept)
    places = {place: number for number, place in enumerate(kept)}
    links = tuple(
        replace(link, piece=places.get(link.piece, len(pieces))) for link in draft.links if link.piece not in dropped
    )
    edges = tuple(
        (place, tuple(places[index] for index in indexes))
        for place, indexes in draft.edges
        if dropped.isdisjoint(indexes)
    )
    return replace(draft, pieces=pieces, links=links, digest=pieces_digest(pieces), cut=None, edges=edges)


def page_title(file: str, facts: Facts, pieces: tuple[Piece, ...], plugin: str) -> str:
    """Return a page's title: its h1, or else its `<title>` without the site's name.

    `<title>` takes precedence on landing pages (plugin `pages`), whose first heading is a slogan. `<title>` also takes
    precedence if a page has several h1 elements and `<title>` does not contain the first. That heading is then the
    site's name or one section of many.
    """
    if plugin == PAGES and facts.title:
        return shortened(facts.title)
    headings = [piece.text for piece in pieces if isinstance(piece, Heading) and piece.level == 1 and piece.text]
    if headings and (len(headings) == 1 or headings[0] in facts.title or not facts.title):
        return shortened(headings[0])
    return shortened(facts.title) or file


def cut_page(pieces: tuple[Piece, ...], title: str, language: str, dropped: Set[int] = frozenset()) -> PageCut:
    """Split a page's pieces into targets and chunks, without the blocks at the indexes `dropped`."""
    targets, sections = sections_of(pieces, title)
    numbers = {id(piece): number for number, piece in enumerate(pieces)}
    chunks: list[tuple[ChunkDraft, ...]] = []
    labels = {pieces[number].text for number in dropped}  # blocks made of headings and summaries have no number
    repeated_blocks = 0
    for position, target in enumerate(targets):
        parts = tuple(
            SectionPart(
                item.block, item.target - position, targets[item.target].heading_path, numbers.get(id(item.block), -1)
            )
            for item in target.blocks
            if numbers.get(id(item.block), -1) not in dropped
            and (id(item.block) in numbers or item.block.text not in labels)
        )
        repeated_blocks += len(target.blocks) - len(parts)
        chunks.append(chunks_of(target.heading_path, parts, language))
        target.blocks.clear()
    return PageCut(title, language, tuple(targets), tuple(sections), tuple(chunks), repeated_blocks)
