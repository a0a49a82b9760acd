"""Mark compilations as listings: pages that repeat other pages, such as a whole manual on one page.

Every passage of a compilation also exists on another page, which loads faster and has the usual URL. In search results
the compilation would replace these pages. Each scope is counted separately, because versions and locales repeat each
other.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace

from pincite_core.types import Scope
from pincite_indexer.site.boilerplate import long_texts
from pincite_indexer.site.site_page import SitePage

__all__ = ("without_compilations",)

_FEWEST_TEXTS = 40  # a page with fewer texts is not a manual
_REPEATED = 0.9  # share of its texts; the rest may be a preface
_SMALLER = 0.5  # a page with more of its texts is a duplicate, and one of the two must stay
_FEWEST_PAGES = 4

_Texts = Mapping[str, frozenset[str]]


def without_compilations(pages: Iterable[SitePage]) -> list[SitePage]:
    """Return the pages in their order; a page that repeats at least four smaller ones is marked as a listing."""
    pages = list(pages)
    of_scope: dict[Scope, dict[str, frozenset[str]]] = defaultdict(dict)
    known: dict[bytes, frozenset[str]] = {}  # by content, because versions of a page share it
    for page in pages:
        if not page.listing:
            texts = known.setdefault(page.draft.digest, frozenset(long_texts(page.draft.pieces)))
            of_scope[page.scope][page.url] = texts
    found = {url for texts in of_scope.values() for url in _compilations(texts)}
    return [replace(page, listing=True) if page.url in found else page for page in pages]


def _compilations(texts: _Texts) -> Iterable[str]:
    pages_with = Counter(text for own in texts.values() for text in own)
    for url, own in texts.items():
        repeated = sum(pages_with[text] > 1 for text in own)
        if len(own) >= _FEWEST_TEXTS and repeated >= _REPEATED * len(own) and _puts_together(url, texts):
            yield url


def _puts_together(url: str, texts: _Texts) -> bool:
    own = texts[url]
    parts = [other & own for there, other in texts.items() if there != url and len(other) < _SMALLER * len(own)]
    parts = [part for part in parts if part]
    held = frozenset[str]().union(*parts)
    return len(held) >= _REPEATED * len(own) and len(parts) >= _FEWEST_PAGES
