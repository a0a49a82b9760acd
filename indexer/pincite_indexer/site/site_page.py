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
from pincite_indexer.generators.known_generators import GENERATORS, every, generator_named
from pincite_indexer.pages.page_draft import PageDraft, page_title
from pincite_indexer.site.inferred import SiteVersions
from pincite_indexer.site.manifest import Manifest, ManifestPage
from pincite_indexer.site.page_sources import PageSources
from pincite_indexer.site.sources import Source, read_source

__all__ = ("PageResolver", "SitePage")

_PLUGIN_PREFIXES = tuple(prefix for generator in GENERATORS for prefix in generator.plugin_prefixes)  # longest first
_UNVERSIONED = frozenset({BLOG, PAGES, ""})
_LISTING_KINDS = every(lambda generator: generator.listing_kinds)
_POST_KINDS = every(lambda generator: generator.post_kinds)
_API_WORDS = frozenset({"api", "apis", "reference", "references", "api-reference", "cli"})
_EXAMPLE_WORDS = frozenset({"example", "examples", "recipes", "cookbook", "samples", "showcase"})


@dataclass(frozen=True, slots=True)
class SitePage:
    """Page that is ready for chunking. `scope.scope_id` is 0 until all scopes are known.

    `listing` marks pages whose text belongs to other pages. They list other pages (tags, archives) or combine them (a
    whole manual).
    """

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
    listing: bool


class PageResolver:
    """Resolver for the pages of one site; `url_of` maps a page's file to its URL."""

    def __init__(
        self,
        manifest: Manifest | None,
        sources: PageSources,
        url_of: Mapping[str, str],
        default_locale: str,
        versions: SiteVersions,
    ) -> None:
        self.by_file = {page.html: page for page in manifest.pages} if manifest else {}
        self.site_dir = Path(manifest.site_dir) if manifest and manifest.site_dir else None
        self.locale = manifest.locale if manifest else ""
        self.sources, self.url_of, self.default_locale, self.versions = sources, url_of, default_locale, versions

    def page(self, draft: PageDraft) -> tuple[SitePage, Sequence[Source]]:
        """Return a page and its possible sources."""
        known = self.by_file.get(draft.file)
        scope = self._scope(draft, known)
        doc_id = (known.doc_id if known else None) or draft.facts.doc_id
        url = encode_path(known.route) if known else self.url_of[draft.file]
        names = _endings(url) if draft.facts.page_kind in _POST_KINDS else [doc_id]
        found = self._sources(draft, known, scope, names)
        source = found[0] if found else None
        page = SitePage(
            draft,
            url,
            scope,
            (strip_invisible(known.title) if known and known.title else None)
            or page_title(draft.file, draft.facts, draft.pieces, scope.plugin),
            (strip_invisible(known.description) if known and known.description else None) or draft.facts.description,
            _source_type(scope.plugin, url, doc_id),
            doc_id,
            (known.tags if known and known.tags else None) or draft.facts.tags,
            known.translated is not False if known else True,
            (known.front_matter if known else None) or (source.front_matter if source else {}),
            (known.source if known else None) or (source.path if source else ""),
            source.explicit_ids if source else frozenset(),
            _is_listing(draft, known),
        )
        return page, found

    def _scope(self, draft: PageDraft, known: ManifestPage | None) -> Scope:
        facts = draft.facts
        plugin = _short_plugin(known.plugin or "") if known and known.plugin else facts.plugin
        plugin_id = (known.plugin_id if known else None) or facts.plugin_id
        version = None if plugin in _UNVERSIONED else (known.version if known else None) or facts.version
        locale = self.locale or facts.locale or self.default_locale
        if known and known.is_last is not None and version:
            is_last = known.is_last
        else:
            is_last = self.versions.is_last(plugin_id, locale, version)
        label = (known.version_label if known else None) or self.versions.label(plugin_id, locale, version)
        return Scope(0, plugin, plugin_id, version, label, is_last, locale)

    def _sources(
        self, draft: PageDraft, known: ManifestPage | None, scope: Scope, names: list[str]
    ) -> Sequence[Source]:
        if known and known.source and self.site_dir:
            file = self.site_dir / known.source.removeprefix("@site/")
            return (read_source(file, known.source),) if file.is_file() else ()
        plugin_id = BLOG if scope.plugin == BLOG else scope.plugin_id or "default"
        keys = [(locale, plugin_id, scope.version, name) for name in names for locale in (scope.locale, "")]
        return self.sources.of(draft, keys)


def _endings(url: str) -> list[str]:
    """Return all ends of a URL's path, longest first, which identify blog posts."""
    parts = unquote(url).removesuffix(".html").strip("/").split("/")
    return ["/".join(parts[start:]) for start in range(len(parts))]


def _short_plugin(name: str) -> str:
    for prefix in _PLUGIN_PREFIXES:
        if name.startswith(prefix):
            return name[len(prefix) :]
    return name


def _is_listing(draft: PageDraft, known: ManifestPage | None) -> bool:
    if known and known.kind != "other":
        return known.kind == "list"
    facts = draft.facts
    listing_files = generator_named(facts.generator).listing_files
    if listing_files and listing_files.search(draft.file):
        return True
    return facts.page_kind in _LISTING_KINDS or (facts.plugin == BLOG and facts.page_kind not in _POST_KINDS)


def _source_type(plugin: str, url: str, doc_id: str) -> SourceType:
    if plugin == BLOG:
        return "blog"
    if plugin == PAGES:
        return "page"
    words = {part.lower() for part in PurePosixPath(unquote(doc_id or url)).parts}
    if "api" in plugin or words & _API_WORDS:
        return "api"
    return "example" if words & _EXAMPLE_WORDS else "guide"
