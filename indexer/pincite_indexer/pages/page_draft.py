"""One page as the reading processes hand it over: what its markup says of it, its content, and the content cut."""

from msgspec import Struct

from pincite_indexer.generators.generator import PAGES
from pincite_indexer.pages.cutting import PageCut
from pincite_indexer.pages.records import Facts, Heading, LinkDraft, Piece
from pincite_indexer.pages.sections import shortened

__all__ = ("PageDraft", "page_title")


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
