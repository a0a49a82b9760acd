"""Links that lead nowhere: to a page that is not in the build, to a fragment that is not on its page."""

from collections.abc import Iterator
from urllib.parse import urlsplit

from pincite_core.urls import split_fragment
from pincite_indexer.checking.findings import Code, Finding
from pincite_indexer.checking.site_places import SitePlaces
from pincite_indexer.checking.suggestions import Suggestions
from pincite_indexer.pages.records import LinkDraft
from pincite_indexer.pages.sections import sections_of
from pincite_indexer.site.resolved_site import Site, SitePage

__all__ = ("dead_links", "dead_redirects")


def dead_links(site: Site, places: SitePlaces) -> Iterator[Finding]:
    """Yield what is wrong with the links in the site's pages, in document order, each once a section."""
    suggestions = Suggestions(site)
    for page in site.pages:
        dead = [(link, url) for link in page.draft.links if (url := _dead(link, page, places)) is not None]
        paths = _heading_paths(page) if dead else []
        found = {_finding(link, url, page, paths, places, suggestions): None for link, url in dead}
        yield from found


def dead_redirects(site: Site, places: SitePlaces) -> Iterator[Finding]:
    """Yield the pages that forward to where nothing is."""
    suggestions = Suggestions(site)
    for redirect in site.redirects:
        for url in places.addresses(redirect.to_url, redirect.url):
            if not places.exists(places.followed(url)):
                message = f"forwards to {redirect.to_url}, which is not in the build"
                near = suggestions.for_page(url)
                yield Finding("error", "dead_redirect", message, redirect.url, href=redirect.to_url, suggestion=near)


def _dead(link: LinkDraft, page: SitePage, places: SitePlaces) -> str | None:
    """Return the URL that a link means when that leads nowhere; None for a good link and for other sites'."""
    if not link.href:
        return None
    urls = places.addresses(link.href, page.url)
    alive = [url for url in urls if places.exists(url)]
    if not urls or any(places.has_fragment(url) for url in alive):
        return None
    return alive[0] if alive else urls[0]


def _heading_paths(page: SitePage) -> list[tuple[str, ...]]:
    """Return for each piece of a page the heading path that it stands under."""
    targets, sections = sections_of(page.draft.pieces, page.title)
    return [targets[position].heading_path for position in sections]


def _finding(
    link: LinkDraft,
    url: str,
    page: SitePage,
    paths: list[tuple[str, ...]],
    places: SitePlaces,
    suggestions: Suggestions,
) -> Finding:
    code: Code = "dead_link"
    message = f"{urlsplit(url).path} is not in the build"
    near = None
    goal = places.page(url) if places.exists(url) else None
    if goal is not None:
        code, message = "dead_fragment", f"{urlsplit(url).path} has no #{split_fragment(url)[1]}"
        near = suggestions.for_fragment(url, goal)
    else:
        near = suggestions.for_page(url)
    path = paths[link.piece] if link.piece < len(paths) else (page.title,)
    return Finding("error", code, message, page.url, page.draft.file, path, link.href, link.text, near)
