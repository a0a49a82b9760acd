"""Determine a site's origin, its base path and the URL of each file.

The manifest takes precedence, then `--site-url`, then the majority of the pages' canonical links. If no page has a
canonical link, the base path comes from the pages' menu links to themselves. The origin is then unknown.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from pincite_core.errors import InputError
from pincite_core.urls import (
    decoded_path,
    encode_path,
    file_to_url,
    is_base_url,
    is_origin,
    lookup_key,
    normalise_base_url,
    origin_of,
    parse_url,
)
from pincite_indexer.pages.page_draft import PageDraft

__all__ = ("SiteUrls", "site_urls")

_FEWEST = 0.5  # required share of pages with the same base, because a single link may lead to a page of the same name


@dataclass(frozen=True, slots=True)
class SiteUrls:
    """Origin and base path of a site."""

    site_url: str  # the origin without a trailing slash; empty if unknown
    base_url: str
    bare: bool  # whether URLs end without a slash and without `.html`

    def of(self, draft: PageDraft) -> str:
        """Return a page's URL, spelled as its canonical or own link if that link leads to this file."""
        url = file_to_url(draft.file, self.base_url, bare=self.bare)
        path = decoded_path(draft.facts.canonical or draft.facts.own_link)
        return encode_path(path) if path and lookup_key(path) == lookup_key(url) else url


def site_urls(
    pages: Iterable[PageDraft],
    site_url: str | None,
    base_url: str | None,
    named_by: Callable[[str, str], str] = lambda url, file: file,
) -> SiteUrls:
    """Return the origin and base path of a site from its pages' canonical or own links.

    `site_url` is the origin from the user or the manifest, with an optional base path. `base_url` is the manifest's.
    `named_by` returns the file that a canonical link names, which may be the same page in another version.

    Raises:
        InputError: `site_url` is not a URL, or `base_url` is not a path.
    """
    bases: Counter[tuple[str, str]] = Counter()
    bare: Counter[bool] = Counter()
    for page, (origin, base, is_bare) in _votes(list(pages), named_by):
        bases[origin, base] += 1
        if not page.file.endswith("404.html") and page.file != "index.html":
            bare[is_bare] += 1
    origin, base = bases.most_common(1)[0][0] if bases else ("", "/")
    if site_url:
        parts = parse_url(site_url)
        if parts is None or not is_origin(f"{parts.scheme}://{parts.netloc}"):
            message = (
                f"--site-url {site_url!r} is not a web address. "
                "Write it like https://docs.example.com or with a base path."
            )
            raise InputError(message)
        origin, path = origin_of(site_url), normalise_base_url(parts.path)
        base = path if path != "/" or not bases else base
    base = normalise_base_url(base_url or base)
    if not is_base_url(base):
        message = f"{base!r} is not a base path. Write it like /docs/, as the site's own links begin."
        raise InputError(message)
    return SiteUrls(origin, base, bool(bare) and bare.most_common(1)[0][0])


def _votes(
    pages: list[PageDraft], named_by: Callable[[str, str], str]
) -> list[tuple[PageDraft, tuple[str, str, bool]]]:
    """Return each page's (origin, base path, bare) from canonical links, or from own links if no page has one."""
    votes = []
    for page in pages:
        link = page.facts.canonical
        if link and (base := _base_of(page.file, link) or _base_of(named_by(link, page.file), link)):
            votes.append((page, base))
    if votes:
        return votes
    votes = [(page, base) for page in pages if (base := _base_of(page.file, page.facts.own_link))]
    agreed = Counter(base for _, (_, base, _) in votes).most_common(1)
    others = sum(page.file != "index.html" for page in pages)
    return votes if agreed and agreed[0][1] > _FEWEST * others else []


def _base_of(file: str, url: str) -> tuple[str, str, bool] | None:
    """Return (origin, base path, bare) if a page's web URL ends with the file's path; else None."""
    if not url or parse_url(url) is None:
        return None
    origin, path = origin_of(url), decoded_path(url) or "/"
    route = lookup_key(encode_path("/" + file))
    stem = path.removesuffix("/").removesuffix(".html") or "/"
    if route == "/":
        base, is_bare = path.removesuffix("index.html"), True
        leads_here = not base.endswith(".html")
    else:
        base, is_bare = stem[: -len(route)], not path.endswith(("/", ".html"))
        leads_here = stem.endswith(route)
    base = normalise_base_url(base)
    is_usable = leads_here and (not origin or is_origin(origin)) and is_base_url(base)
    return (origin, base, is_bare) if is_usable else None
