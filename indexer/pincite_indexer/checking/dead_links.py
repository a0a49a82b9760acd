"""Find dead links: links to a missing page, or to a fragment that the page does not have.

Each finding suggests the most similar page or anchor that exists.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from urllib.parse import unquote

from pincite_core.urls import (
    candidate_files,
    decoded_path,
    join_fragment,
    lookup_key,
    normalise_base_url,
    resolve,
    split_fragment,
)
from pincite_indexer.checking.check_report import Code, Finding
from pincite_indexer.pages.page_draft import PageDraft
from pincite_indexer.pages.records import LinkDraft
from pincite_indexer.pages.sections import sections_of
from pincite_indexer.site.resolved_site import Site
from pincite_indexer.site.site_page import SitePage

__all__ = ("LinkTargets", "dead_links", "dead_redirects")

_LIKE_PATH = 0.88  # similarity of paths with a typing error; paths below it share only their folder
_LIKE_ANCHOR = 0.7  # lower, because one more word changes a short anchor a lot
_LONGEST_CHAIN = 8  # redirects in a chain; the limit also ends cycles
_ROUTER_MARKS = ("/", "!")  # `#/users` and `#!users` are routes of a script on the page


class LinkTargets:
    """Link targets of a site: pages, their fragments, other files and redirects.

    `drafts` are all pages that were read, including pages that are not indexed.
    """

    def __init__(self, folder: Path, site: Site, drafts: Iterable[PageDraft]) -> None:
        self._site = site
        self._files = {file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file()}
        self._pages = {lookup_key(site.urls.of(draft)): draft for draft in drafts}
        self._redirects = {lookup_key(redirect.url): redirect.to_url for redirect in site.redirects}

    def addresses(self, href: str, page_url: str) -> tuple[str, ...]:
        """Return the URLs of this site that a link may stand for; empty for a link to another site.

        A relative link stands for two URLs, because hosts serve a page's folder with or without a trailing slash.
        """
        is_relative = not href.startswith(("/", "#", "?")) and ":" not in href.partition("/")[0]
        bases = (page_url, page_url + "/") if href and is_relative and not page_url.endswith("/") else (page_url,)
        found = (resolve(href, base, self._site.urls.site_url) for base in bases)
        return tuple(dict.fromkeys(url for url in found if url is not None and self._is_ours(url)))

    def exists(self, url: str) -> bool:
        """Return whether a page, redirect or file of the site has this URL, without its fragment."""
        base = normalise_base_url(self._site.urls.base_url)
        files = (decoded_path(url).removeprefix(base), *candidate_files(url, base))
        key = lookup_key(url)
        return key in self._pages or key in self._redirects or not self._files.isdisjoint(files)

    def page(self, url: str) -> PageDraft | None:
        """Return the page at a URL, through redirects; None if no page was read there."""
        return self._pages.get(lookup_key(self.followed(url)))

    def followed(self, url: str) -> str:
        """Return the final URL after all redirects."""
        for _ in range(_LONGEST_CHAIN):
            goal = self._redirects.get(lookup_key(url))
            if goal is None:
                break
            url = goal
        return url

    def has_fragment(self, url: str) -> bool:
        """Return whether the page has the URL's fragment; True if that is unknown."""
        fragment = url.partition("#")[2].partition(":~:")[0]  # `:~:` starts a text fragment
        page = self.page(url)
        if page is None or not fragment or fragment.lower() == "top" or fragment.startswith(_ROUTER_MARKS):
            return True
        return fragment in page.ids or unquote(fragment) in page.ids

    def _is_ours(self, url: str) -> bool:
        return (decoded_path(url) + "/").startswith(normalise_base_url(self._site.urls.base_url))


class _Suggestions:
    """Similar valid targets in a site; results are cached, because versions repeat the same dead links."""

    def __init__(self, site: Site) -> None:
        self._pages = {lookup_key(page.url): page for page in site.pages}
        self._by_file = {page.draft.file: page for page in site.pages}
        self._cached: dict[str, str | None] = {}
        self._anchors: dict[str, dict[str, str]] = {}

    def for_page(self, url: str) -> str | None:
        """Return the existing URL most similar to a missing one; None if none is similar."""
        key = lookup_key(url)
        if key not in self._cached:
            self._cached[key] = self._nearest_page(key)
        return self._cached[key]

    def for_fragment(self, url: str, goal: PageDraft) -> str | None:
        """Return the URL most similar to a missing fragment: an anchor of its page, or another page with the fragment.

        If neither exists, return the page's URL. Return None if the page is not part of the site.
        """
        page = self._by_file.get(goal.file)
        anchor = split_fragment(url)[1]
        if page is None:
            return None
        key = join_fragment(page.url, anchor)
        if key not in self._cached:
            near = get_close_matches(_plain(anchor), self._names(page), n=1, cutoff=_LIKE_ANCHOR)
            other = self._names(page)[near[0]] if near else None
            self._cached[key] = join_fragment(page.url, other) if other else self._page_with(anchor, page) or page.url
        return self._cached[key]

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


def dead_links(site: Site, targets: LinkTargets) -> Iterator[Finding]:
    """Yield the dead links of the site's pages in document order, each once per section."""
    suggestions = _Suggestions(site)
    for page in site.pages:
        dead = [(link, url) for link in page.draft.links if (url := _dead(link, page, targets)) is not None]
        if dead:
            sections, of_pieces = sections_of(page.draft.pieces, page.title)
            paths = [sections[position].heading_path for position in of_pieces]
            yield from dict.fromkeys(_finding(link, url, page, paths, targets, suggestions) for link, url in dead)


def dead_redirects(site: Site, targets: LinkTargets) -> Iterator[Finding]:
    """Yield the redirects to a missing page."""
    suggestions = _Suggestions(site)
    for redirect in site.redirects:
        for url in targets.addresses(redirect.to_url, redirect.url):
            if not targets.exists(targets.followed(url)):
                message = f"forwards to {redirect.to_url}, which is not in the build"
                near = suggestions.for_page(url)
                yield Finding("error", "dead_redirect", message, redirect.url, href=redirect.to_url, suggestion=near)


def _dead(link: LinkDraft, page: SitePage, targets: LinkTargets) -> str | None:
    """Return the URL of a dead link; None for a valid link and for a link to another site."""
    if not link.href:
        return None
    urls = targets.addresses(link.href, page.url)
    alive = [url for url in urls if targets.exists(url)]
    if not urls or any(targets.has_fragment(url) for url in alive):
        return None
    return alive[0] if alive else urls[0]


def _finding(
    link: LinkDraft,
    url: str,
    page: SitePage,
    paths: list[tuple[str, ...]],
    targets: LinkTargets,
    suggestions: _Suggestions,
) -> Finding:
    where, fragment = split_fragment(url)
    where = where.partition("?")[0]
    goal = targets.page(url) if targets.exists(url) else None
    code: Code = "dead_link" if goal is None else "dead_fragment"
    message = f"{where} is not in the build" if goal is None else f"{where} has no #{fragment}"
    near = suggestions.for_page(url) if goal is None else suggestions.for_fragment(url, goal)
    path = paths[link.piece] if link.piece < len(paths) else (page.title,)
    return Finding("error", code, message, page.url, page.draft.file, path, link.href, link.text, near)


def _plain(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())
