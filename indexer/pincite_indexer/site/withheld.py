"""Withhold pages that their authors exclude, and remove the traces of these pages from other pages.

Generators create tables of contents, cards and excerpts from the pages that they link to. A trace of a withheld page is
an item, card or heading that consists only of the link. The text below such a heading is part of the trace.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace

from msgspec import structs

from pincite_core.types import Scope
from pincite_core.urls import lookup_key, resolve
from pincite_indexer.generators.generator import BLOG
from pincite_indexer.pages.page_draft import PageDraft, without_pieces
from pincite_indexer.pages.page_facts import is_no
from pincite_indexer.pages.records import Heading, LinkDraft, Piece
from pincite_indexer.site.site_page import SitePage
from pincite_indexer.site.sources import Source

__all__ = ("Privacy", "without_traces")

_SIGNS = re.compile(r"[\W_]+")  # separators between a card's title and text, and the marks of inline code


class Privacy:
    """Record of withheld pages and their private sources; every private source must match a page."""

    def __init__(self, sources: Iterable[Source]) -> None:
        self._private = {source.path: source for source in sources if source.is_private}
        self._pages: dict[str, list[str]] = defaultdict(list)  # files of pages, by the source that withholds them
        self._others: dict[str, list[str]] = defaultdict(list)  # other sources, by the file of a withheld page

    def withholds(self, draft: PageDraft, matter: Mapping[str, object], sources: Iterable[Source]) -> bool:
        """Return whether a page with this front matter and these possible sources is kept out of the index."""
        private = self.note(draft, sources)
        return draft.facts.private or private or is_no(matter.get("pincite"))

    def note(self, draft: PageDraft, sources: Iterable[Source]) -> bool:
        """Record a page's possible sources; return whether one of them is private."""
        paths = [source.path for source in sources]
        private = [path for path in paths if path in self._private]
        for path in private:
            self._pages[path].append(draft.file)
        if private:
            self._others[draft.file] = [path for path in paths if path not in self._private]
        return bool(private)

    def uncertain_matches(self) -> list[str]:
        """Return warnings about uncertain matches: a source with several pages, or a page with several sources."""
        copies = [f"{source}: {', '.join(files)}" for source, files in self._pages.items() if len(files) > 1]
        mixed = [f"{file}: perhaps from {', '.join(paths)}" for file, paths in self._others.items() if paths]
        return [*copies, *mixed]

    def unmatched_sources(self, scopes: Set[Scope]) -> list[str]:
        """Return the private sources without a page, except sources that generators leave out of this build."""
        return [
            source.path
            for source in self._private.values()
            if source.path not in self._pages and not source.is_draft and not _is_elsewhere(source, scopes)
        ]


def _is_elsewhere(source: Source, scopes: Set[Scope]) -> bool:
    """Return whether this build has pages of a source's part of the site, but not of its language or version."""
    for locale, part, version, _ in source.keys:
        of_part = [scope for scope in scopes if (BLOG if scope.plugin == BLOG else scope.plugin_id) == part]
        languages, versions = {scope.locale for scope in of_part}, {scope.version for scope in of_part}
        if of_part and (locale not in {"", *languages} or version not in versions):
            return True
    return False


def without_traces(page: SitePage, site_url: str, withheld: Mapping[str, PageDraft]) -> SitePage:
    """Return a page without traces of withheld pages.

    If the page links to a withheld page, its visible letters are removed as well. `withheld` has the withheld pages by
    the lookup keys of their URLs.
    """
    if not withheld:
        return page

    def linked(href: str) -> PageDraft | None:
        target = resolve(href, page.url, site_url)
        return withheld.get(lookup_key(target)) if target is not None else None

    draft = page.draft
    links = [(link, other) for link in draft.links if (other := linked(link.href))]
    if not links and not any(map(linked, draft.other_hrefs)):
        return page
    draft = structs.replace(draft, letters="")
    dropped = {place for link, other in links for place in _traces(draft.pieces, link, other)}
    return replace(page, draft=without_pieces(draft, dropped) if dropped else draft)


def _traces(pieces: Sequence[Piece], link: LinkDraft, withheld: PageDraft) -> Iterator[int]:
    """Yield the indexes of the pieces that are traces of the linked page.

    A trace consists only of the link, belongs to the link's section or card, or repeats the page's description.
    """
    text, description = _letters(link.text), _letters(withheld.facts.description)
    if description:
        yield from (place for place, piece in enumerate(pieces) if _letters(_unmarked(piece)) == description)
    if text and link.piece < len(pieces) and _letters(_unmarked(pieces[link.piece])) == text:
        yield from _section(pieces, link.piece, withheld)
    elif text:
        yield from _card(pieces, link.piece, text)


def _card(pieces: Sequence[Piece], end: int, text: str) -> Iterator[int]:
    """Yield the indexes of the pieces inside a link with this text, which ends after them."""
    card = ""
    for place in range(min(end, len(pieces)) - 1, -1, -1):
        card = _letters(pieces[place].text) + card
        if not text.endswith(card):
            return
        if card == text:
            yield from range(place, end)
            return


def _section(pieces: Sequence[Piece], start: int, withheld: PageDraft) -> Iterator[int]:
    """Yield the index of a piece and, for a heading, of the pieces of its section.

    The section ends at the next heading of the same or a higher level that the withheld page does not have.
    """
    yield start
    heading = pieces[start]
    if isinstance(heading, Heading):
        own = {_letters(piece.text) for piece in withheld.pieces if isinstance(piece, Heading)}
        for place, piece in enumerate(pieces[start + 1 :], start + 1):
            ends = isinstance(piece, Heading) and piece.level <= heading.level
            if ends and _letters(piece.text) not in own:
                return
            yield place


def _unmarked(piece: Piece) -> str:
    return piece.text if isinstance(piece, Heading) else piece.text[piece.mark :]


def _letters(text: str) -> str:
    return _SIGNS.sub("", text)
