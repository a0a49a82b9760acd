"""Collect the site's links: their section, their target, their text, and their place in a unit."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Self

from msgspec.structs import replace

from pincite_core.quoting.unit_text import cell_spans
from pincite_core.search.terms import runs_of_signs
from pincite_core.types import Chunk, Link, TextLink, Unit
from pincite_core.urls import lookup_key, resolve, resolve_outside, split_fragment
from pincite_indexer.pages.records import LinkDraft
from pincite_indexer.rows.assemble import Rows
from pincite_indexer.site.resolved_site import Site

__all__ = ("SiteLinks", "inbound_texts", "link_place", "links_of", "with_links")

_MOST_URL = 2000  # characters; longer ones are data
_SHORTEST = 2  # characters of a link's text to search for; a single letter is ambiguous


@dataclass(frozen=True, slots=True)
class SiteLinks:
    """Links of a site.

    Attributes:
        inside: The links within the site in document order, each once per section.
        of_units: The links in the text of each unit, by its position among all units.
    """

    inside: list[Link]
    of_units: dict[int, list[TextLink]]


def links_of(site: Site, rows: Rows) -> SiteLinks:
    """Return all links of a site.

    A link with a missing fragment leads to its page and is marked. A link to a missing page is left out.
    """
    resolver = _Resolver.of(site, rows)
    places: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    for at, (unit, piece) in enumerate(zip(rows.units, rows.pieces, strict=True)):
        places[rows.chunks[unit.chunk_id - 1].page_id, piece].append(at)
    inside: dict[Link, None] = {}
    of_units: defaultdict[int, list[TextLink]] = defaultdict(list)
    for page_id, page in enumerate(site.pages, start=1):
        for draft in page.draft.links:
            link = resolver.link(page_id, page.url, draft)
            if isinstance(link, Link):
                inside[link] = None
            if link is not None:
                to = link.to_target_id if isinstance(link, Link) else link
                _place(rows, places[page_id, draft.piece], draft.text, to, of_units)
    return SiteLinks(list(inside), {at: sorted(links) for at, links in of_units.items()})


def _place(
    rows: Rows, units: Sequence[int], words: str, to: int | str, of_units: defaultdict[int, list[TextLink]]
) -> None:
    """Add a link to the first unit of its block that has its words outside of other links."""
    for at in units:
        unit = rows.units[at]
        text = rows.chunks[unit.chunk_id - 1].text[unit.start : unit.end]
        if unit.kind != "code" and (place := link_place(text, words, of_units.get(at, ()), unit.cells)):
            of_units[at].append(TextLink(*place, to))
            return


def with_links(units: Sequence[Unit], chunks: Sequence[Chunk], links: SiteLinks) -> list[Unit]:
    """Return the units with their links; a unit that consists only of the words of a link gets the role `refers`."""
    texts = {chunk.chunk_id: chunk for chunk in chunks}
    words: defaultdict[int, set[str]] = defaultdict(set)
    for link in links.inside:
        words[link.from_target_id].add(link.text)
    found: list[Unit] = []
    for at, unit in enumerate(units):
        chunk = texts[unit.chunk_id]
        linked = words.get(chunk.target_id)
        is_link = bool(linked) and chunk.text[unit.start : unit.end].replace("`", "").rstrip(".") in (linked or ())
        if is_link or at in links.of_units:
            unit = replace(unit, role="refers" if is_link else unit.role, links=tuple(links.of_units.get(at, ())))
        found.append(unit)
    return found


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

    def link(self, page_id: int, page_url: str, draft: LinkDraft) -> Link | str | None:
        """Return a link, or a URL outside of the site; None if it leads to its own section or a missing page."""
        sections = self.sections[page_id]
        source = sections[draft.piece] if draft.piece < len(sections) else self.targets[page_id, ""]
        url = resolve(draft.href, page_url, self.site_url)
        if url is None:
            outside = resolve_outside(draft.href, page_url, self.site_url) if draft.text else None
            return outside if outside and len(outside) <= _MOST_URL else None
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


def link_place(text: str, words: str, taken: Sequence[TextLink], cells: Sequence[int] = ()) -> tuple[int, int] | None:
    """Return the first place of a link's words in a unit that no other link covers; None if there is none.

    Args:
        text: The unit's text. Its code marks are not part of the words. The words may contain a whole code span, but
            not a part of one.
        words: The link's words.
        taken: The links that have a place in the unit.
        cells: The lengths in `Unit.cells` for a table row, whose column names contain no links.
    """
    if len(words) < _SHORTEST:
        return None
    inside = list(cell_spans(cells)) or [(0, len(text))]
    for start, end in _occurrences(text, words):
        is_free = all(end <= one.start or one.end <= start for one in taken)
        if (
            is_free
            and _stands_alone(text, start, end)
            and any(left <= start and end <= right for left, right in inside)
        ):
            return start, end
    return None


def _occurrences(text: str, words: str) -> Iterator[tuple[int, int]]:
    if "`" not in text:
        at = text.find(words)
        while at >= 0:
            yield at, at + len(words)
            at = text.find(words, at + 1)
        return
    offsets = [at for at, letter in enumerate(text) if letter != "`"]
    for at, _ in _occurrences(text.replace("`", ""), words):
        start, end = offsets[at], offsets[at + len(words) - 1] + 1
        opens, closes = text.count("`", 0, start) % 2, text.count("`", 0, end) % 2  # 1 inside of code
        if (not opens or text[start - 1] == "`") and (not closes or text[end : end + 1] == "`"):
            yield start - opens, end + closes


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Return whether a match is not part of a longer word. Scripts without blanks have no word edges."""
    edges = ((text[start - 1 : start], text[start]), (text[end - 1], text[end : end + 1]))
    return not any(left.isalnum() and right.isalnum() and not runs_of_signs(left + right) for left, right in edges)
