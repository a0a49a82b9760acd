"""Look up link targets of a site: its pages, their fragments, other files and redirects."""

from collections.abc import Iterable
from pathlib import Path
from urllib.parse import unquote

from pincite_core.urls import candidate_files, decoded_path, lookup_key, normalise_base_url, resolve
from pincite_indexer.pages.page_draft import PageDraft
from pincite_indexer.site.resolved_site import Site

__all__ = ("SitePlaces",)

_LONGEST_CHAIN = 8  # redirects in a chain; the limit also ends cycles
_ROUTER_MARKS = ("/", "!")  # `#/users` and `#!users` are routes of a script on the page


class SitePlaces:
    """Link targets of a site. `drafts` are all pages that were read, including pages that are not indexed."""

    def __init__(self, folder: Path, site: Site, drafts: Iterable[PageDraft]) -> None:
        self._site = site
        self._files = {file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file()}
        self._pages = {lookup_key(site.urls.of(draft)): draft for draft in drafts}
        self._redirects = {lookup_key(redirect.url): redirect.to_url for redirect in site.redirects}

    def addresses(self, href: str, page_url: str) -> tuple[str, ...]:
        """Return the URLs of this site that a link may stand for; empty for a link to another site.

        A relative link stands for two URLs. Hosts serve a page's folder with or without a trailing slash, and browsers
        resolve the link from that URL.
        """
        bases = (page_url, page_url + "/") if _is_relative(href) and not page_url.endswith("/") else (page_url,)
        found = (resolve(href, base, self._site.urls.site_url) for base in bases)
        return tuple(dict.fromkeys(url for url in found if url is not None and self._is_ours(url)))

    def exists(self, url: str) -> bool:
        """Return whether a page, redirect or file of the site has this URL, without its fragment."""
        return lookup_key(url) in self._pages or lookup_key(url) in self._redirects or self._has_file(url)

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

    def _has_file(self, url: str) -> bool:
        base = normalise_base_url(self._site.urls.base_url)
        path = decoded_path(url).removeprefix(base)
        return path in self._files or any(file in self._files for file in candidate_files(url, base))


def _is_relative(href: str) -> bool:
    return bool(href) and not href.startswith(("/", "#", "?")) and ":" not in href.partition("/")[0]
