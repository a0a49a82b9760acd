"""Where the site lives: its origin, its base path, and the URL of each file.

A manifest knows; `--site-url` says; otherwise the pages' canonical links tell, by majority. Where pages have none, the
links to themselves in their menus tell the base path, since menus are written with it; the origin stays unknown.
"""

from collections import Counter
from collections.abc import Iterable
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


_FEWEST = 0.5  # of the pages must agree on a base by their own links: one alone may lead to a namesake


@dataclass(frozen=True, slots=True)
class SiteUrls:
    """`site_url` is the origin without a slash, empty when unknown; `bare` that URLs end in no slash or `.html`."""

    site_url: str
    base_url: str
    bare: bool

    def of(self, draft: PageDraft) -> str:
        """Return a page's URL: its canonical or own link's spelling when that names this very file, else the file's."""
        url = file_to_url(draft.file, self.base_url, bare=self.bare)
        said = decoded_path(draft.facts.canonical or draft.facts.own_link)
        return encode_path(said) if said and lookup_key(said) == lookup_key(url) else url


def site_urls(pages: Iterable[PageDraft], site_url: str | None, base_url: str | None) -> SiteUrls:
    """Return where the site lives.

    Args:
        pages: Drafts with their canonical or own links.
        site_url: What the user or manifest says: an origin, perhaps with the base path.
        base_url: The base path of a manifest.

    Raises:
        InputError: `site_url` is no URL, or `base_url` no path.
    """
    pages = list(pages)
    bases: Counter[tuple[str, str]] = Counter()
    bare: Counter[bool] = Counter()
    for page, (origin, base, is_bare) in _votes(pages):
        bases[origin, base] += 1
        if not page.file.endswith("404.html") and page.file != "index.html":
            bare[is_bare] += 1
    origin, base = bases.most_common(1)[0][0] if bases else ("", "/")
    if site_url:
        origin, said = _parse(site_url)
        base = said if said != "/" or not bases else base
    base = normalise_base_url(base_url or base)
    if not is_base_url(base):
        message = f"{base!r} is no base path. Write it like /docs/, as the site's own links begin."
        raise InputError(message)
    return SiteUrls(origin, base, bool(bare) and bare.most_common(1)[0][0])


def _votes(pages: list[PageDraft]) -> list[tuple[PageDraft, tuple[str, str, bool]]]:
    """Return what pages say of (origin, base path, bare): by canonical links or, where no page has one, own links."""
    votes = [(page, said) for page in pages if (said := _base_of(page.file, page.facts.canonical))]
    if votes:
        return votes
    votes = [(page, said) for page in pages if (said := _base_of(page.file, page.facts.own_link))]
    agreed = Counter(base for _, (_, base, _) in votes).most_common(1)
    others = sum(page.file != "index.html" for page in pages)
    return votes if agreed and agreed[0][1] > _FEWEST * others else []


def _base_of(file: str, url: str) -> tuple[str, str, bool] | None:
    """Return (origin, base path, bare) when a page's URL ends in the file's own path and is one of the web."""
    found = _told_by(file, url) if url and parse_url(url) is not None else None
    if found is None or (found[0] and not is_origin(found[0])) or not is_base_url(found[1]):
        return None
    return found


def _told_by(file: str, url: str) -> tuple[str, str, bool] | None:
    origin, path = origin_of(url), decoded_path(url) or "/"
    route = lookup_key(encode_path("/" + file))
    stem = path.removesuffix("/").removesuffix(".html") or "/"
    if route == "/":
        folder = path.removesuffix("index.html")
        is_another_page = folder.endswith(".html")
        return None if is_another_page else (origin, normalise_base_url(folder), True)
    if not stem.endswith(route):
        return None
    return origin, normalise_base_url(stem[: -len(route)]), not path.endswith(("/", ".html"))


def _parse(site_url: str) -> tuple[str, str]:
    parts = parse_url(site_url)
    if parts is None or not is_origin(f"{parts.scheme}://{parts.netloc}"):
        message = (
            f"--site-url {site_url!r} is no web address. Write it like https://docs.example.com or with a base path."
        )
        raise InputError(message)
    return origin_of(site_url), normalise_base_url(parts.path)
