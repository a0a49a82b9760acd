"""Find text that repeats within a scope: boilerplate on most pages, and pages that combine other pages.

Sites put newsletter boxes, banners and feedback forms into their content. A compilation, such as a whole manual on one
page, repeats passages of other pages, which load faster and have the usual URLs. In search results it would replace
them. Each scope is counted separately, because versions and locales repeat whole pages of each other.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from pincite_core.types import Scope
from pincite_indexer.pages.records import Block
from pincite_indexer.site.site_page import SitePage

__all__ = ("mark_compilations", "repeated_texts")

_MOST = 0.5  # share of the pages of one scope
_MIN_PAGES = 8  # with fewer pages, repetition may be a coincidence
_MIN_LENGTH = 20  # characters; shorter labels such as "Example" or "Returns" may repeat
_FEWEST_TEXTS = 40  # a page with fewer texts is not a manual
_REPEATED = 0.9  # share of a compilation's texts; the rest may be a preface
_SMALLER = 0.5  # a page with more of a compilation's texts is a duplicate, and one of the two must stay
_FEWEST_PAGES = 4


def repeated_texts(pages: Iterable[SitePage]) -> dict[Scope, frozenset[str]]:
    """Return, for each scope, the block texts that appear on most of its pages."""
    found = {}
    for scope, texts in _texts_by_scope(pages).items():
        if len(texts) >= _MIN_PAGES:
            counts = Counter(text for own in texts.values() for text in own)
            found[scope] = frozenset(text for text, count in counts.items() if count > _MOST * len(texts))
    return found


def mark_compilations(pages: Iterable[SitePage]) -> list[SitePage]:
    """Return the pages in their order; a page that repeats at least four smaller ones is marked as a listing."""
    pages = list(pages)
    found = {url for texts in _texts_by_scope(pages).values() for url in _compilations(texts)}
    return [replace(page, listing=True) if page.url in found else page for page in pages]


def _texts_by_scope(pages: Iterable[SitePage]) -> dict[Scope, dict[str, frozenset[str]]]:
    """Return the long texts of blocks and of headings without an anchor, by scope and URL, without listings."""
    found: dict[Scope, dict[str, frozenset[str]]] = defaultdict(dict)
    known: dict[bytes, frozenset[str]] = {}  # by content, because versions of a page share it
    for page in pages:
        if page.listing:
            continue
        if page.draft.digest not in known:
            texts = (piece.text for piece in page.draft.pieces if isinstance(piece, Block) or not piece.anchor)
            known[page.draft.digest] = frozenset(text for text in texts if len(text) >= _MIN_LENGTH)
        found[page.scope][page.url] = known[page.draft.digest]
    return found


def _compilations(texts: Mapping[str, frozenset[str]]) -> Iterator[str]:
    pages_with = Counter(text for own in texts.values() for text in own)
    for url, own in texts.items():
        repeated = sum(pages_with[text] > 1 for text in own)
        if len(own) < _FEWEST_TEXTS or repeated < _REPEATED * len(own):
            continue
        smaller = (other & own for there, other in texts.items() if there != url and len(other) < _SMALLER * len(own))
        parts = [part for part in smaller if part]
        if len(parts) >= _FEWEST_PAGES and len(frozenset().union(*parts)) >= _REPEATED * len(own):
            yield url
