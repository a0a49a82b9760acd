"""One page as the reading processes hand it over: what its markup says of it, its content, and the content cut.

It is cut into targets and chunks that are counted within the page, so that pages of the same content share them.
"""

from collections.abc import Set

from msgspec import Struct

from pincite_indexer.generators.generator import PAGES
from pincite_indexer.pages.chunking import ChunkDraft, SectionPart, chunks_of
from pincite_indexer.pages.records import Facts, Heading, LinkDraft, Piece
from pincite_indexer.pages.sections import TargetDraft, sections_of, shortened

__all__ = ("PageCut", "PageDraft", "cut_page", "page_title")


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
    is a hash of the pieces. `cut` is how they are cut if the page bears the title and language that it shows.
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
