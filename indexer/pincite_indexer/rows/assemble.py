"""Convert pages to rows: scopes, pages, targets with IDs, chunks and units, numbered but without vectors."""

from dataclasses import dataclass, field, replace
from itertools import takewhile

from pincite_core.index.shown_text import ShownPart, letters, tell_shown
from pincite_core.index.write import content_hash
from pincite_core.types import Chunk, Page, Scope, Target, Unit
from pincite_core.urls import encode_path, lookup_key
from pincite_indexer.pages.chunking import ChunkDraft
from pincite_indexer.pages.page_draft import PageCut, cut_page
from pincite_indexer.pages.sections import TargetDraft
from pincite_indexer.site.repeated_text import RepeatedTexts, repeated_texts
from pincite_indexer.site.resolved_site import Site
from pincite_indexer.site.site_page import SitePage
from pincite_indexer.site.stable_ids import PageIdentity, PagePrefix, assign_prefixes, section_id

__all__ = ("NONE_WITHHELD", "Rows", "Withheld", "assemble", "page_identity", "withheld_places")


@dataclass(frozen=True, slots=True)
class Withheld:
    """Pages that are kept out of the index: the lookup keys of their URLs, and their stable IDs."""

    urls: frozenset[str] = frozenset()
    ids: frozenset[str] = frozenset()


NONE_WITHHELD = Withheld()


@dataclass(slots=True)
class Rows:
    """Rows of an index before embedding.

    Attributes:
        texts: The distinct texts to embed; `vector_id` 1 is the first.
        pieces: For each unit, the piece of the page that contains it.
        sections: For each page ID, a target ID for each piece: the section that gets the piece's links.
        shown: Parts of each page's visible text, by URL.
    """

    scopes: list[Scope] = field(default_factory=list)
    pages: list[Page] = field(default_factory=list)
    targets: list[Target] = field(default_factory=list)
    chunks: list[Chunk] = field(default_factory=list)
    units: list[Unit] = field(default_factory=list)
    pieces: list[int] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    sections: dict[int, list[int]] = field(default_factory=dict)
    shown: dict[str, list[ShownPart]] = field(default_factory=dict)
    repeated_blocks: int = 0
    collided_pages: list[str] = field(default_factory=list)


def assemble(site: Site) -> Rows:
    """Return all rows of a site, numbered in document order.

    Raises:
        DuplicateIdError: Two pages have the same explicit stable ID.
    """
    assembly = _Assembly(site)
    prefixes = assign_prefixes([page_identity(page, site) for page in site.pages])
    for page, prefix in zip(site.pages, prefixes, strict=True):
        assembly.add(page, prefix)
    return assembly.finish()


def withheld_places(site: Site) -> Withheld:
    """Return the URLs of the withheld pages, and the IDs that they would have."""
    ids = (assign_prefixes([page_identity(page, site)])[0].text for page in site.withheld)
    return Withheld(frozenset(lookup_key(page.url) for page in site.withheld), frozenset(ids))


def page_identity(page: SitePage, site: Site) -> PageIdentity:
    """Return the facts that determine a page's part of an ID."""
    matter = page.front_matter
    path = page.doc_id or _own_route(page, site)
    return PageIdentity(
        page.scope.locale,
        page.scope.version,
        page.scope.plugin_id if page.doc_id else page.scope.plugin or _part(page) or "pages",
        path,
        str(matter.get("module_id") or ""),
        str(matter.get("chapter_id") or ""),
        bool(matter.get("id")),
        page.source or page.draft.file,
    )


def _own_route(page: SitePage, site: Site) -> str:
    """Return a page's path; the front matter's `id` replaces the last part, so that renaming a file keeps the ID."""
    route, own = _route(page, site), str(page.front_matter.get("id") or "")
    return "/".join([*route.split("/")[:-1], own]) if own else route


def _part(page: SitePage) -> str:
    """Return the name of the folder around the page's version; empty for the site's own folder or no version."""
    return page.folder.part.rstrip("/").rpartition("/")[2] if page.folder else ""


def _route(page: SitePage, site: Site) -> str:
    """Return a page's path below its locale's and version's folders, so that the page has one ID in all of them."""
    path = page.url.removeprefix(site.urls.base_url).strip("/").removesuffix(".html")
    if page.folder:
        path = f"{path}/".removeprefix(encode_path(page.folder.folder)).rstrip("/")
    locale = page.scope.locale.lower()
    folder, _, rest = path.partition("/")
    if page.scope.locale != site.default_locale and folder.lower() in {locale, locale.partition("-")[0]}:
        return rest
    return path


class _Assembly:
    def __init__(self, site: Site) -> None:
        self.rows = Rows()
        self.repeated = repeated_texts(site.pages)
        self.cuts: dict[tuple[object, ...], PageCut] = {}
        self.scopes: dict[Scope, Scope] = {}
        self.vector_ids: dict[str, int] = {}  # vector ID of each text, counted from 1
        for scope in sorted({page.scope for page in site.pages}, key=_scope_order):
            self.scopes[scope] = replace(scope, scope_id=len(self.scopes) + 1)
        self.rows.scopes = list(self.scopes.values())

    def add(self, page: SitePage, prefix: PagePrefix) -> None:
        """Add a page with its targets, chunks and units."""
        rows = self.rows
        page_id = len(rows.pages) + 1
        scope_id = self.scopes[page.scope].scope_id
        cut = self._cut(page)
        first = len(rows.targets) + 1
        rows.targets.extend(
            _target(draft, position, first, page_id, prefix, page.explicit_ids)
            for position, draft in enumerate(cut.targets)
        )
        rows.sections[page_id] = [first + position for position in cut.sections]
        rows.repeated_blocks += 0 if page.listing else cut.repeated_blocks
        if prefix.collided:
            rows.collided_pages.append(page.source or page.draft.file)
        for position, chunks in enumerate(() if page.listing else cut.chunks):
            for ordinal, chunk in enumerate(chunks):
                self._add_chunk(chunk, ordinal, page_id, scope_id, first + position)
        rows.pages.append(_page(page, page_id, scope_id))
        if page.draft.letters and rows.chunks and rows.chunks[-1].page_id == page_id:
            rows.shown[page.url] = self._tell(page.draft.letters, page_id)

    def finish(self) -> Rows:
        """Return all rows."""
        self.rows.texts.extend(self.vector_ids)
        return self.rows

    def _cut(self, page: SitePage) -> PageCut:
        """Return a page's cut, made anew if the title, the language or repeated blocks differ from the draft's cut."""
        draft, language = page.draft, page.scope.locale
        dropped = self.repeated.get(page.scope, RepeatedTexts()).dropped(draft, page.url)
        read = draft.cut
        if read and (read.title, read.language) == (page.title, language) and not dropped:
            return read
        key = (draft.digest or draft.file, page.title, language, dropped)
        if key not in self.cuts:
            self.cuts[key] = cut_page(draft.pieces, page.title, language, dropped)
        return self.cuts[key]

    def _tell(self, shown: str, page_id: int) -> list[ShownPart]:
        """Return the visible parts of the last added page, encoded relative to the letters of its chunks."""
        of_page = takewhile(lambda chunk: chunk.page_id == page_id, reversed(self.rows.chunks))
        return tell_shown(shown, letters("".join(chunk.text for chunk in [*of_page][::-1])))

    def _add_chunk(self, draft: ChunkDraft, ordinal: int, page_id: int, scope_id: int, target_id: int) -> None:
        """Add a chunk and its units; equal texts of several versions share one vector."""
        rows, ids = self.rows, self.vector_ids
        chunk_id = len(rows.chunks) + 1
        vector_id = ids.setdefault(draft.embedded, len(ids) + 1)
        rows.chunks.append(Chunk(chunk_id, target_id, page_id, scope_id, ordinal, draft.text, vector_id))
        rows.pieces.extend(item.piece for item in draft.units)
        rows.units.extend(
            Unit(
                unit_id,
                chunk_id,
                target_id + item.target,
                scope_id,
                item.start,
                item.end,
                item.kind,
                ids.setdefault(item.embedded, len(ids) + 1) if item.embedded else 0,
                item.layout.number,
                item.mark,
                item.layout.labels,
                item.admonition,
                item.layout.tab,
                item.layout.first_tab,
                item.role,
                item.facts,
                item.cells,
            )
            for unit_id, item in enumerate(draft.units, start=len(rows.units) + 1)
        )


def _scope_order(scope: Scope) -> tuple[str, str, str, str]:
    return scope.locale, scope.plugin, scope.plugin_id, scope.version or ""


def _page(page: SitePage, page_id: int, scope_id: int) -> Page:
    return Page(
        page_id,
        scope_id,
        page.url,
        page.title,
        page.description,
        page.source_type,
        page.doc_id,
        page.draft.facts.breadcrumbs,
        page.tags,
        page.translated,
        page.source,
        content_hash([page.draft.digest, page.title.encode(), page.description.encode()]),
    )


def _target(
    draft: TargetDraft, position: int, first: int, page_id: int, prefix: PagePrefix, explicit: frozenset[str]
) -> Target:
    stable_id, id_kind = section_id(prefix, draft.anchor, explicit)
    return Target(
        first + position,
        page_id,
        None if draft.parent is None else first + draft.parent,
        position,
        draft.anchor,
        draft.kind,
        draft.level,
        draft.title,
        draft.heading_path,
        stable_id,
        id_kind,
        draft.landing,
    )
