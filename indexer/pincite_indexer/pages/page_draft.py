"""One page as the reading processes hand it over: what its markup says of it, its content, and the content cut.

It is cut into targets and chunks that are counted within the page, so that pages of the same content share them.
"""

import hashlib
from collections.abc import Set

from msgspec import Struct, msgpack
from msgspec.structs import replace

from pincite_indexer.generators.generator import PAGES
from pincite_indexer.pages.chunking import ChunkDraft, SectionPart, chunks_of
from pincite_indexer.pages.records import Facts, Heading, LinkDraft, Piece
from pincite_indexer.pages.sections import TargetDraft, sections_of, shortened

__all__ = ("PageCut", "PageDraft", "cut_page", "page_title", "pieces_digest", "without_pieces")


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


class PageDraft(Struct, frozen=True, gc=False):
    """One page, read. `file` is relative to the site; `ids` are all ids of the whole page, for checking fragments.

    `repeated_ids` are those that more than one element bears, in document order: browsers land on the first. `digest`
    is a hash of the pieces. `cut` is how they are cut if the page bears the title and language that it shows. `shown`
    are the letters (`shown_text`) that readers see in the content and close around it, and `goals` those of the links
    there that are not among `links`.
    """

    file: str
    facts: Facts
    pieces: tuple[Piece, ...] = ()
    links: tuple[LinkDraft, ...] = ()
    ids: frozenset[str] = frozenset()
    has_root: bool = False
    digest: bytes = b""
    repeated_ids: tuple[str, ...] = ()
    cut: PageCut | None = None
    shown: str = ""
    goals: tuple[str, ...] = ()


def pieces_digest(pieces: tuple[Piece, ...]) -> bytes:
    """Return a hash of pieces."""
    return hashlib.blake2b(msgpack.encode(pieces), digest_size=16).digest()


def without_pieces(draft: PageDraft, dropped: Set[int]) -> PageDraft:
    """Return a page without some of its pieces and the links in them; it is yet to be cut."""
    kept = [place for place in range(len(draft.pieces)) if place not in dropped]
    pieces = tuple(draft.pieces[place] for place in kept)
    places = {place: number for number, place in enumerate(kept)}
    links = tuple(
        replace(link, piece=places.get(link.piece, len(pieces))) for link in draft.links if link.piece not in dropped
    )
    return replace(draft, pieces=pieces, links=links, digest=pieces_digest(pieces), cut=None)


def page_title(file: str, facts: Facts, pieces: tuple[Piece, ...], plugin: str) -> str:
    """Return a page's title: its h1, else what `<title>` says without the site's name.

    `<title>` goes first on landing pages (plugin `pages`), whose first heading is a slogan, and where the
    first of several h1 is not in it: that is the site's name, or one section of many.
    """
    if plugin == PAGES and facts.title:
        return shortened(facts.title)
    headings = [piece.text for piece in pieces if isinstance(piece, Heading) and piece.level == 1 and piece.text]
    if headings and (len(headings) == 1 or headings[0] in facts.title or not facts.title):
        return shortened(headings[0])
    return shortened(facts.title) or file


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
