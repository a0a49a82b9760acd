"""Find dead links: links to a missing page, or to a fragment that the page does not have.

Each finding suggests the most similar page or anchor that exists.
"""

from collections import defaultdict
from collections.abc import Iterator
from difflib import get_close_matches
from functools import cached_property

from pincite_core.urls import join_fragment, lookup_key, split_fragment
from pincite_indexer.checking.check_report import Code, Finding
from pincite_indexer.checking.site_places import SitePlaces
from pincite_indexer.pages.page_draft import PageDraft
from pincite_indexer.pages.records import LinkDraft
from pincite_indexer.pages.sections import sections_of
from pincite_indexer.site.resolved_site import Site
from pincite_indexer.site.site_page import SitePage

__all__ = ("dead_links", "dead_redirects")

_LIKE_PATH = 0.88  # similarity of paths with a typing error; paths below it share only their folder
_LIKE_ANCHOR = 0.7  # lower, because one more word changes a short anchor a lot


class _Suggestions:
    """Finder of similar valid targets in a site; results are cached, because versions repeat the same dead links."""

    def __init__(self, site: Site) -> None:
        self._pages = {lookup_key(page.url): page for page in site.pages}
        self._by_file = {page.draft.file: page for page in site.pages}
        self._kept: dict[str, str | None] = {}
        self._anchors: dict[str, dict[str, str]] = {}

    def for_page(self, url: str) -> str | None:
        """Return the existing URL most similar to a missing one; None if none is similar."""
        key = lookup_key(url)
        if key not in self._kept:
            self._kept[key] = self._nearest_page(key)
        return self._kept[key]

    def for_fragment(self, url: str, goal: PageDraft) -> str | None:
        """Return the URL most similar to a missing fragment: an anchor of its page, or another page with the fragment.

        If neither exists, return the page's URL. Return None if the page is not part of the site.
        """
        page = self._by_file.get(goal.file)
        anchor = split_fragment(url)[1]
        if page is None:
            return None
        key = join_fragment(page.url, anchor)
        if key not in self._kept:
            near = get_close_matches(_plain(anchor), self._names(page), n=1, cutoff=_LIKE_ANCHOR)
            other = self._names(page)[near[0]] if near else None
            self._kept[key] = join_fragment(page.url, other) if other else self._page_with(anchor, page) or page.url
        return self._kept[key]

    def _names(self, page: SitePage) -> dict[str, str]:
        """Return a page's anchors by the names in links: the anchors themselves and their titles."""
        if page.url not in self._anchors:
            targets = [target for target in sections_of(page.draft.pieces, page.title)[0] if target.anchor]
            titles = {_plain(target.title): target.anchor for target in reversed(targets)}
            self._anchors[page.url] = titles | {_plain(target.anchor): target.anchor for target in reversed(targets)}
        return self._anchors[page.url]

    def _nearest_page(self, key: str) -> str | None:
        last = key.rpartition("/")[2]
        same_name = [known for known in self._pages if known.rpartition("/")[2] == last]
        near = get_close_matches(key, same_name, n=1, cutoff=0) if same_name else []
        near = near or get_close_matches(key, self._pages, n=1, cutoff=_LIKE_PATH)
        return self._pages[near[0]].url if near else None

    def _page_with(self, anchor: str, page: SitePage) -> str | None:
        """Return the anchor's URL on another page if only one page of the scope has it; else None.

        The section has probably moved to that page.
        """
        found = [other for other in self._by_anchor[anchor] if other.scope == page.scope]
        return join_fragment(found[0].url, anchor) if len(found) == 1 else None

    @cached_property
    def _by_anchor(self) -> dict[str, list[SitePage]]:
        pages: dict[str, list[SitePage]] = defaultdict(list)
        for page in self._pages.values():
            for anchor in page.draft.ids:
                pages[anchor].append(page)
        return pages


def dead_links(site: Site, places: SitePlaces) -> Iterator[Finding]:
    """Yield the dead links of the site's pages in document order, each once per section."""
    suggestions = _Suggestions(site)
    for page in site.pages:
        dead = [(link, url) for link in page.draft.links if (url := _dead(link, page, places)) is not None]
        paths = _heading_paths(page) if dead else []
        found = {_finding(link, url, page, paths, places, suggestions): None for link, url in dead}
        yield from found


def dead_redirects(site: Site, places: SitePlaces) -> Iterator[Finding]:
    """Yield the redirects to a missing page."""
    suggestions = _Suggestions(site)
    for redirect in site.redirects:
        for url in places.addresses(redirect.to_url, redirect.url):
            if not places.exists(places.followed(url)):
                message = f"forwards to {redirect.to_url}, which is not in the build"
                near = suggestions.for_page(url)
                yield Finding("error", "dead_redirect", message, redirect.url, href=redirect.to_url, suggestion=near)


def _dead(link: LinkDraft, page: SitePage, places: SitePlaces) -> str | None:
    """Return the URL of a dead link; None for a valid link and for a link to another site."""
    if not link.href:
        return None
    urls = places.addresses(link.href, page.url)
    alive = [url for url in urls if places.exists(url)]
    if not urls or any(places.has_fragment(url) for url in alive):
        return None
    return alive[0] if alive else urls[0]


def _heading_paths(page: SitePage) -> list[tuple[str, ...]]:
    """Return the heading path of each piece of a page."""
    targets, sections = sections_of(page.draft.pieces, page.title)
    return [targets[position].heading_path for position in sections]


def _finding(
    link: LinkDraft,
    url: str,
    page: SitePage,
    paths: list[tuple[str, ...]],
    places: SitePlaces,
    suggestions: _Suggestions,
) -> Finding:
    code: Code = "dead_link"
    where = split_fragment(url)[0].partition("?")[0]
    message = f"{where} is not in the build"
    near = None
    goal = places.page(url) if places.exists(url) else None
    if goal is not None:
        code, message = "dead_fragment", f"{where} has no #{split_fragment(url)[1]}"
        near = suggestions.for_fragment(url, goal)
    else:
        near = suggestions.for_page(url)
    path = paths[link.piece] if link.piece < len(paths) else (page.title,)
    return Finding("error", code, message, page.url, page.draft.file, path, link.href, link.text, near)


def _plain(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())
