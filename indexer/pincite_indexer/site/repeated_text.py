"""Find text that repeats within a scope: boilerplate on most pages, and pages that combine other pages.

Sites put newsletter boxes, banners and feedback forms around their content. Such an edge of the content is boilerplate
if most pages have it in the same place. A sentence inside the text may be a fact about every page, so one page keeps
it. A compilation, such as a whole manual on one page, repeats passages of other pages, which load faster and have the
usual URLs. In search results it would replace them. Each scope is counted separately, because versions and locales
repeat whole pages of each other.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from pincite_core.index.shown_text import letters
from pincite_core.types import Scope
from pincite_indexer.pages.page_draft import PageDraft
from pincite_indexer.pages.page_edges import IN_TEXT
from pincite_indexer.pages.records import Block
from pincite_indexer.site.site_page import SitePage

__all__ = ("RepeatedTexts", "mark_compilations", "repeated_texts")

_MOST = 0.5  # share of the pages of one scope
_MIN_EDGES = 3  # with fewer pages, the same element around their content may be a coincidence
_MIN_PAGES = 8  # with fewer pages, repetition inside the text may be a coincidence
_MIN_LENGTH = 20  # characters; shorter labels such as "Example" or "Returns" may repeat
_FEWEST_TEXTS = 40  # a page with fewer texts is not a manual
_REPEATED = 0.9  # share of a compilation's texts; the rest may be a preface
_SMALLER = 0.5  # a page with more of a compilation's texts is a duplicate, and one of the two must stay
_FEWEST_PAGES = 4
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_LONGEST_DATED = 60  # characters of a line that consists of a label and a date
_LABEL_WORDS = 2  # words of such a line that do not change with the date

_Edge = tuple[str, str]  # place and text of an edge


@dataclass(frozen=True, slots=True)
class RepeatedTexts:
    """Repeated texts of one scope.

    Attributes:
        edges: Places and texts of the elements around the content of most pages.
        keepers: For each block text inside most pages, the URL of the page that keeps it.
    """

    edges: frozenset[_Edge] = frozenset()
    keepers: Mapping[str, str] = field(default_factory=dict)

    def dropped(self, draft: PageDraft, url: str) -> frozenset[int]:
        """Return the indexes of a page's pieces that are boilerplate, or that another page keeps."""
        if not self.edges and not self.keepers:
            return frozenset()
        found = {place for key, places in _edges_of(draft) if key in self.edges for place in places}
        for place, piece in enumerate(draft.pieces):
            if (isinstance(piece, Block) or not piece.anchor) and self.keepers.get(piece.text, url) != url:
                found.add(place)
        return frozenset(found)

    def edge_letters(self, draft: PageDraft) -> frozenset[str]:
        """Return the letters of each edge of a page that is boilerplate."""
        found = (places for key, places in _edges_of(draft) if key in self.edges)
        return frozenset(letters("".join(draft.pieces[place].text for place in places)) for places in found)


def repeated_texts(pages: Iterable[SitePage]) -> dict[Scope, RepeatedTexts]:
    """Return, for each scope, the texts that appear on most of its pages."""
    pages = list(pages)
    edges: dict[Scope, list[set[_Edge]]] = defaultdict(list)
    for page in pages:
        if not page.listing:
            edges[page.scope].append({key for key, _ in _edges_of(page.draft)})
    found = {}
    for scope, texts in _texts_by_scope(pages).items():
        keepers = _keepers(texts) if len(texts) >= _MIN_PAGES else {}
        found[scope] = RepeatedTexts(_most(edges[scope]), keepers)
    return found


def _edges_of(draft: PageDraft) -> Iterator[tuple[_Edge, tuple[int, ...]]]:
    """Yield the edges of a page with the indexes of their pieces; dates do not distinguish them."""
    for place, indexes in draft.edges:
        yield (place, "\n".join(_undated(draft.pieces[index].text) for index in indexes)), indexes


def _undated(text: str) -> str:
    if len(text) > _LONGEST_DATED or not _YEAR.search(text):
        return text
    return " ".join(text.split()[:_LABEL_WORDS])


def _most(sets: list[set[_Edge]]) -> frozenset[_Edge]:
    """Return the edges of most pages; more pages are needed if the edge may be a part of the text."""
    counts = Counter(edge for one in sets for edge in one)
    return frozenset(
        edge
        for edge, count in counts.items()
        if count > _MOST * len(sets) and count >= (_MIN_PAGES if edge[0].startswith(IN_TEXT) else _MIN_EDGES)
    )


def _keepers(texts: Mapping[str, frozenset[str]]) -> dict[str, str]:
    """Return the texts on most pages, each with the page that keeps it: the page with the shortest URL."""
    counts = Counter(text for own in texts.values() for text in own)
    repeated = {text for text, count in counts.items() if count > _MOST * len(texts)}
    found: dict[str, str] = {}
    for url in sorted(texts, key=lambda url: (len(url), url)):
        for text in texts[url] & repeated:
            found.setdefault(text, url)
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
