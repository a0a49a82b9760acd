"""Match pages to their source files by the generator's metadata, the page's edit link, or its path.

A page may match several sources, and a source several pages, such as versions and translations. All matches are
returned. A private source therefore excludes every page that may be made from it. Paths are compared without the parts
that generators change: suffixes, letter case, blanks and the names of index files.
"""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

from pincite_indexer.generators.generator import SourceKey
from pincite_indexer.pages.page_draft import PageDraft
from pincite_indexer.site.sources import SUFFIXES, Source

__all__ = ("PageSources", "Route", "page_route", "source_routes")

Route = tuple[str, ...]
"""Normalised parts of a path for comparison; empty for a home page."""

_FOR_FOLDER = frozenset({"index", "readme", "_index"})
_LANGUAGE = re.compile(r"(?P<stem>.+)\.(?P<language>[a-z]{2,3}(?:-[a-z0-9]{2,8})?)$")
_DATED = re.compile(r"(\d{4})-(\d{2})-(\d{2})-(.+)")
_ROOTS = ("docs", "source", "src", "content", "pages", "docs/source", "src/pages", "src/content/docs")
_FEWEST = 2  # pages that must confirm a mount; a single page may only share the name


class _Mount(NamedTuple):
    """Mapping from source paths to page paths: the folder to remove, and the folder to prepend."""

    off: Route
    front: Route


_PLAIN = (_Mount((), ()), *(_Mount(tuple(root.split("/")), ()) for root in _ROOTS))


def page_route(file: str) -> Route:
    """Return the route of a page's file."""
    return _route(file.removesuffix(".html").split("/"))


def source_routes(source: Source) -> tuple[Route, ...]:
    """Return the routes, below its folder, that a source may be built to; routes from front matter come first."""
    path = PurePosixPath(source.path)
    parts = [*path.parts[:-1], path.name.removesuffix(path.suffix)]
    found = [*_declared_routes(source, _route(parts)), _route(parts)]
    if match := _LANGUAGE.fullmatch(parts[-1]):  # `guide.fr.md`
        inner = _route([*parts[:-1], match["stem"]])
        found += [(match["language"].casefold(), *inner), inner]
    if match := _DATED.fullmatch(parts[-1]):  # Jekyll's posts
        folders = [part for part in parts[:-1] if part != "_posts"]
        found += [_route([*folders, *match.groups()]), _route([*folders, match[4]])]
    return tuple(dict.fromkeys(found))


def _declared_routes(source: Source, route: Route) -> Iterator[Route]:
    """Yield the routes that front matter defines: an address of Jekyll or Hugo, or another last part."""
    for key in ("permalink", "url", "slug"):
        value = source.front_matter.get(key)
        if isinstance(value, str) and value.strip("/") and ":" not in value and "{" not in value:
            parts = _route(value.strip("/").removesuffix(".html").split("/"))
            yield parts if value.startswith("/") or key != "slug" else (*route[:-1], *parts)


def _route(parts: Sequence[str]) -> Route:
    folded = [unicodedata.normalize("NFC", part).casefold().replace(" ", "-") for part in parts]
    folders = tuple(part.lstrip("_") for part in folded[:-1])  # collections of Jekyll
    return folders if folded[-1] in _FOR_FOLDER else (*folders, folded[-1])


class PageSources:
    """Index that returns the sources of pages."""

    def __init__(self, sources: Iterable[Source], drafts: Iterable[PageDraft]) -> None:
        """Index all sources; `drafts` are all pages of the site, including pages that are not indexed."""
        sources = tuple(sources)
        self._by_key: dict[SourceKey, list[Source]] = defaultdict(list)
        self._by_path: dict[Route, list[Source]] = defaultdict(list)
        self._by_route: dict[Route, list[Source]] = defaultdict(list)
        for source in reversed(sources):  # if several sources share a key, the last one belongs to the page
            for key in source.keys:
                self._by_key[key].append(source)
            self._by_path[_path_route(source.path)].append(source)
            for route in source_routes(source):
                self._by_route[route].append(source)
        self._mounts = tuple(_mounts(sources, {page_route(draft.file) for draft in drafts}))

    def of(self, draft: PageDraft, keys: Iterable[SourceKey]) -> tuple[Source, ...]:
        """Return the possible sources of a page, the most likely first.

        `keys` are the names that the generator may use for its source, the most likely first.
        """
        if not self._by_path:
            return ()
        keys = tuple(keys)
        named = next((self._by_key[key] for key in keys if key in self._by_key), ())
        if named:
            return tuple(named)
        if draft.facts.doc_id:  # the document's private sources from other versions or languages
            wanted = {(part, name) for _, part, _, name in keys}
            of_document = (found for key, found in self._by_key.items() if (key[1], key[3]) in wanted)
            others = [source for found in of_document for source in found if source.is_private]
        else:
            others = self._at(page_route(draft.file))
        return tuple({source.path: source for source in (*self._linked(draft), *others)}.values())

    def _linked(self, draft: PageDraft) -> Iterator[Source]:
        """Yield the sources that a page's edit links name, matched by the longest common end of the path."""
        for link in draft.facts.edit_links:
            parts = _path_route(link)
            tails = (parts[start:] for start in range(len(parts)))
            yield from next((self._by_path[tail] for tail in tails if tail in self._by_path), ())

    def _at(self, route: Route) -> list[Source]:
        """Return the sources at a page's path, or else the sources at the path that other pages' mounts imply."""
        found: list[Source] = []
        for mounts in (_PLAIN, self._mounts):
            for off, front in mounts:
                if route[: len(front)] == front:
                    found += self._by_route.get((*off, *route[len(front) :]), ())
            if found:
                break
        return found


def _path_route(path: str) -> Route:
    """Return a source's full path in normalised form; published copies of sources have an extra suffix `.txt`."""
    folded = unicodedata.normalize("NFC", path).casefold()
    plain = folded.removesuffix(".txt")
    return tuple((plain if PurePosixPath(plain).suffix in SUFFIXES else folded).split("/"))


def _mounts(sources: Iterable[Source], pages: set[Route]) -> Iterator[_Mount]:
    """Yield the mounts that enough pages confirm, such as folders of versions, languages and sub-sites."""
    by_name: dict[str, list[Route]] = defaultdict(list)
    for page in pages:
        if page:
            by_name[page[-1]].append(page)
    votes: Counter[_Mount] = Counter()
    for source in sources:
        route = source_routes(source)[0]
        votes.update({_between(route, page) for page in by_name.get(route[-1] if route else "", ())})
    return (mount for mount, count in votes.items() if count >= _FEWEST and mount not in _PLAIN)


def _between(source: Route, page: Route) -> _Mount:
    """Return the mount that maps a source's route to a page's route; both routes have the same end."""
    common = 0
    while common < min(len(source), len(page)) and source[-1 - common] == page[-1 - common]:
        common += 1
    return _Mount(source[: len(source) - common], page[: len(page) - common])
