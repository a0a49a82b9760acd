"""Resolve a page's URL, scope, kind and source, from the manifest if there is one, or else from its HTML."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import unquote

from pincite_core.strip_invisible import strip_invisible
from pincite_core.types import Scope, SourceType
from pincite_core.urls import encode_path
from pincite_indexer.generators.generator import BLOG, PAGES
from pincite_indexer.generators.known_generators import MERGED, generator_named
from pincite_indexer.pages.page_draft import PageDraft, page_title
from pincite_indexer.site.inferred import SiteVersions
from pincite_indexer.site.manifest import Manifest, ManifestPage
from pincite_indexer.site.page_sources import PageSources
from pincite_indexer.site.sources import Source, read_source
from pincite_indexer.site.versions.version_sets import NO_VERSIONS, FolderVersion, FolderVersions

__all__ = ("PageResolver", "SitePage")

_NOT_LISTED = ManifestPage(route="", html="")  # stands for a page that the manifest does not contain
_UNVERSIONED = frozenset({BLOG, PAGES, ""})
_API_WORDS = frozenset({"api", "apis", "reference", "references", "api-reference", "cli"})
_EXAMPLE_WORDS = frozenset({"example", "examples", "recipes", "cookbook", "samples", "showcase"})


@dataclass(frozen=True, slots=True)
class SitePage:
    """Page that is ready for chunking. `scope.scope_id` is 0 until all scopes are known."""

    draft: PageDraft
    url: str
    scope: Scope
    title: str
    description: str
    source_type: SourceType
    doc_id: str
    tags: tuple[str, ...]
    translated: bool
    front_matter: Mapping[str, Any]
    source: str
    explicit_ids: frozenset[str]
    listing: bool  # whether its text belongs to other pages: it lists them (tags, archives) or combines them (a manual)
    folder: FolderVersion | None = None  # the version whose folder the page is in


class PageResolver:
    """Resolver for the pages of one site; `url_of` maps a page's file to its URL."""

    def __init__(
        self,
        manifest: Manifest | None,
        sources: PageSources,
        url_of: Mapping[str, str],
        default_locale: str,
        versions: SiteVersions,
        folders: FolderVersions = NO_VERSIONS,
    ) -> None:
        self._by_file = {page.html: page for page in manifest.pages} if manifest else {}
        self._site_dir = Path(manifest.site_dir) if manifest and manifest.site_dir else None
        self._locale = manifest.locale if manifest else ""
        self._sources, self._versions, self._folders = sources, versions, folders
        self._url_of, self._default_locale = url_of, default_locale

    def page(self, draft: PageDraft) -> tuple[SitePage, Sequence[Source]]:
        """Return a page and its possible sources."""
        known, facts = self._by_file.get(draft.file, _NOT_LISTED), draft.facts
        scope = self._scope(draft, known)
        doc_id = known.doc_id or facts.doc_id
        url = self._url_of[draft.file] if known is _NOT_LISTED else encode_path(known.route)
        found = self._sources_of(draft, known, scope, url, doc_id)
        source = found[0] if found else Source("", {}, frozenset())
        page = SitePage(
            draft,
            url,
            scope,
            strip_invisible(known.title or "") or page_title(draft.file, facts, draft.pieces, scope.plugin),
            strip_invisible(known.description or "") or facts.description,
            _source_type(scope.plugin, url, doc_id),
            doc_id,
            known.tags or facts.tags,
            known.translated is not False,
            known.front_matter or source.front_matter,
            known.source or source.path,
            source.explicit_ids,
            _is_listing(draft, known.kind),
            place[0] if (place := self._folders.place(draft.file)) else None,
        )
        return page, found

    def _scope(self, draft: PageDraft, known: ManifestPage) -> Scope:
        facts = draft.facts
        plugin = known.plugin or facts.plugin
        if known.plugin:  # without the generator's prefix
            names = (plugin.removeprefix(prefix) for prefix in MERGED.plugin_prefixes if plugin.startswith(prefix))
            plugin = next(names, plugin)
        plugin_id = known.plugin_id or facts.plugin_id
        version = None if plugin in _UNVERSIONED else known.version or facts.version
        locale = self._locale or facts.locale or self._default_locale
        if place := self._folders.place(draft.file):
            return _folder_scope(plugin, plugin_id, place[0], self._folders.locale(place[0], facts.locale) or locale)
        is_last = known.is_last
        if is_last is None or not version:
            is_last = self._versions.is_last(plugin_id, locale, version)
        label = known.version_label or self._versions.label(plugin_id, locale, version)
        return Scope(0, plugin, plugin_id, version, label, is_last, locale)

    def _sources_of(
        self, draft: PageDraft, known: ManifestPage, scope: Scope, url: str, doc_id: str
    ) -> Sequence[Source]:
        if known.source and self._site_dir:
            file = self._site_dir / known.source.removeprefix("@site/")
            return (read_source(file, known.source),) if file.is_file() else ()
        names = [doc_id]
        if draft.facts.page_kind in MERGED.post_kinds:  # identified by an end of the URL's path, the longest first
            parts = unquote(url).removesuffix(".html").strip("/").split("/")
            names = ["/".join(parts[start:]) for start in range(len(parts))]
        plugin_id = BLOG if scope.plugin == BLOG else scope.plugin_id or "default"
        version = draft.facts.version if self._folders.place(draft.file) else scope.version
        keys = [(locale, plugin_id, version, name) for name in names for locale in (scope.locale, "")]
        return self._sources.of(draft, keys)


def _folder_scope(plugin: str, plugin_id: str, version: FolderVersion, locale: str) -> Scope:
    """Return the scope of a page in a version's folder; `is_last` is known only after all pages."""
    name = plugin_id or version.part.rstrip("/")
    return Scope(0, plugin, name, version.name, version.label, is_last=False, locale=locale)


def _is_listing(draft: PageDraft, kind: str) -> bool:
    if kind != "other":
        return kind == "list"
    facts = draft.facts
    listing_files = generator_named(facts.generator).listing_files
    if listing_files and listing_files.search(draft.file):
        return True
    return facts.page_kind in MERGED.listing_kinds or (
        facts.plugin == BLOG and facts.page_kind not in MERGED.post_kinds
    )


def _source_type(plugin: str, url: str, doc_id: str) -> SourceType:
    if plugin in {BLOG, PAGES}:
        return "blog" if plugin == BLOG else "page"
    words = {part.lower() for part in PurePosixPath(unquote(doc_id or url)).parts}
    if "api" in plugin or words & _API_WORDS:
        return "api"
    return "example" if words & _EXAMPLE_WORDS else "guide"
