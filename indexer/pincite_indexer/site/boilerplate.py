"""Text that repeats on most pages of a section of the site is furniture, whatever its markup says.

Sites put newsletter boxes, banners and feedback forms into their content; counted per scope, because each version
and locale repeats whole pages of the others.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable

from pincite_core.types import Scope
from pincite_indexer.pages.records import Block, Piece
from pincite_indexer.site.site_page import SitePage

__all__ = ("long_texts", "repeated_texts")

_MOST = 0.5  # of the pages of one scope
_MIN_PAGES = 8  # with fewer pages, "most" is a coincidence
_MIN_LENGTH = 20  # "Example", "Returns", "number": short labels repeat for good reason


def repeated_texts(pages: Iterable[SitePage]) -> dict[Scope, frozenset[str]]:
    """Return, for each scope, the texts of blocks that stand on most of its pages."""
    counts: dict[Scope, Counter[str]] = defaultdict(Counter)
    totals: Counter[Scope] = Counter()
    known: dict[bytes, list[str]] = {}  # by content, which the versions of a page share
    for page in pages:
        if page.listing:
            continue
        if page.draft.digest not in known:
            known[page.draft.digest] = long_texts(page.draft.pieces)
        counts[page.scope].update(known[page.draft.digest])
        totals[page.scope] += 1
    return {
        scope: frozenset(text for text, count in counter.items() if count > _MOST * totals[scope])
        for scope, counter in counts.items()
        if totals[scope] >= _MIN_PAGES
    }


def long_texts(pieces: Iterable[Piece]) -> list[str]:
    """Return the distinct texts of blocks, and of headings that nobody can be sent to, that are no mere labels."""
    texts = {piece.text for piece in pieces if isinstance(piece, Block) or not piece.anchor}
    return [text for text in texts if len(text) >= _MIN_LENGTH]
