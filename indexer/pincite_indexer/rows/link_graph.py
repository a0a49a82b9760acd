"""Collect the site's links: their section, their target and their text."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Self

from msgspec.structs import replace

from pincite_core.index.outside_links import OutsideLink, StoredLink
from pincite_core.types import Chunk, Link, Unit
from pincite_core.urls import lookup_key, resolve, resolve_outside, split_fragment
from pincite_indexer.pages.records import LinkDraft
from pincite_indexer.rows.assemble import Rows
from pincite_indexer.site.resolved_site import Site

__all__ = ("SiteLinks", "inbound_texts", "links_of", "with_references")


@dataclass(frozen=True, slots=True)
class SiteLinks:
    """Links in document order, each once per section: links within the site, and links to other sites by page URL."""

    inside: list[Link]
    outside: dict[str, list[StoredLink]]


def links_of(site: Site, rows: Rows) -> SiteLinks:
    """Return all links of a site.

    A link with a missing fragment leads to its page and is marked. A link to a missing page is left out.
    """
    resolver = _Resolver.of(site, rows)
    inside: dict[Link, None] = {}
    outside: dict[str, list[StoredLink]] = {}
    for page_id, page in enumerate(site.pages, start=1):
        found = dict.fromkeys(
            link for draft in page.draft.links if (link := resolver.link(page_id, page.url, draft)) is not None
        )
        inside.update((link, None) for link in found if isinstance(link, Link))
        if of_page := _stored(list(found), resolver.targets[page_id, ""]):
            outside[page.url] = of_page
    return SiteLinks(list(inside), outside)


def with_references(units: Sequence[Unit], chunks: Sequence[Chunk], links: Sequence[Link]) -> list[Unit]:
    """Return the units; a unit that consists only of the words of a link in its section gets the role `refers`."""
    sections = {chunk.chunk_id: chunk for chunk in chunks}
    words: defaultdict[int, set[str]] = defaultdict(set)
    for link in links:
        words[link.from_target_id].add(link.text)
    found: list[Unit] = []
    for unit in units:
        chunk = sections[unit.chunk_id]
        linked = words.get(chunk.target_id)
        is_link = bool(linked) and chunk.text[unit.start : unit.end].replace("`", "").rstrip(".") in (linked or ())
        found.append(replace(unit, role="refers") if is_link else unit)
    return found


def _stored(links: Sequence[Link | OutsideLink], first: int) -> list[StoredLink]:
    """Return a page's links to other sites; `first` is the ID of the page's own target."""
    before: Counter[int] = Counter()  # links within the site, by section
    stored: list[StoredLink] = []
    for link in links:
        if isinstance(link, Link):
            before[link.from_target_id] += 1
        else:
            stored.append(StoredLink(link.from_target_id - first, link.url, link.text, before[link.from_target_id]))
    return stored


@dataclass(frozen=True, slots=True)
class _Resolver:
    """Resolver of link URLs."""

    site_url: str
    pages: Mapping[str, int]
    targets: Mapping[tuple[int, str], int]
    ids: Mapping[int, Set[str]]
    sections: Mapping[int, Sequence[int]]

    @classmethod
    def of(cls, site: Site, rows: Rows) -> Self:
        pages = {lookup_key(page.url): page.page_id for page in rows.pages}
        for redirect in site.redirects:
            goal = pages.get(lookup_key(redirect.to_url))
            if goal:
                pages.setdefault(lookup_key(redirect.url), goal)
        targets = {(target.page_id, target.anchor): target.target_id for target in rows.targets}
        ids = {page_id: page.draft.ids for page_id, page in enumerate(site.pages, start=1)}
        return cls(site.urls.site_url, pages, targets, ids, rows.sections)

    def link(self, page_id: int, page_url: str, draft: LinkDraft) -> Link | OutsideLink | None:
        """Return a link; None if it leads to its own section or a missing page, or to another site without text."""
        sections = self.sections[page_id]
        source = sections[draft.piece] if draft.piece < len(sections) else self.targets[page_id, ""]
        url = resolve(draft.href, page_url, self.site_url)
        if url is None:
            outside = resolve_outside(draft.href, page_url, self.site_url) if draft.text else None
            return OutsideLink(source, outside, draft.text, 0) if outside else None
        goal = self.pages.get(lookup_key(url))
        if goal is None:
            return None
        anchor = split_fragment(url)[1]
        known = not anchor or anchor in self.ids[goal]
        link = Link(source, self.targets.get((goal, anchor), self.targets[goal, ""]), draft.text, known)
        return link if link.from_target_id != link.to_target_id else None


def inbound_texts(links: list[Link]) -> dict[int, str]:
    """Return, for each target, the distinct texts of the links that lead to it."""
    texts: dict[int, dict[str, None]] = {}
    for link in links:
        if link.text:
            texts.setdefault(link.to_target_id, {})[link.text] = None
    return {target_id: "\n".join(found) for target_id, found in texts.items()}
