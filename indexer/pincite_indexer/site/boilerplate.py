"""Find boilerplate: text that repeats on most pages of a scope.

Sites put newsletter boxes, banners and feedback forms into their content. Each scope is counted separately, because
versions and locales repeat whole pages of each other.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable

from pincite_core.types import Scope
from pincite_indexer.pages.records import Block, Piece
from pincite_indexer.site.site_page import SitePage

__all__ = ("long_texts", "repeated_texts")

_MOST = 0.5  # share of the pages of one scope
_MIN_PAGES = 8  # with fewer pages, repetition may be a coincidence
_MIN_LENGTH = 20  # characters; shorter labels such as "Example" or "Returns" may repeat


def repeated_texts(pages: Iterable[SitePage]) -> dict[Scope, frozenset[str]]:
    """Return, for each scope, the block texts that appear on most of its pages."""
    counts: dict[Scope, Counter[str]] = defaultdict(Counter)
    totals: Counter[Scope] = Counter()
    known: dict[bytes, list[str]] = {}  # by content, because versions of a page share it
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
    """Return the distinct texts of blocks and of headings without an anchor, without short labels."""
    texts = {piece.text for piece in pieces if isinstance(piece, Block) or not piece.anchor}
    return [text for text in texts if len(text) >= _MIN_LENGTH]
