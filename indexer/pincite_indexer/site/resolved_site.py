"""Drafts to pages: every page's URL, scope, kind and source, from the manifest where there is one, else from HTML."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import unquote

from pincite_core.types import Redirect, Scope, SourceType
from pincite_core.urls import encode_path, file_to_url, resolve
from pincite_indexer.generators import GENERATORS, every, generator_named
from pincite_indexer.generators.generator import BLOG, PAGES, SourceKey
from pincite_indexer.pages.page_draft import PageDraft, page_title
from pincite_indexer.site.inferred import SiteVersions, compared_texts, repeats, twin_url
from pincite_indexer.site.manifest import Manifest, ManifestPage
from pincite_indexer.site.scan import LeftOut, Scan
from pincite_indexer.site.site_urls import SiteUrls, site_urls
from pincite_indexer.site.sources import Source, read_source

__all__ = ("Site", "SitePage", "resolve_site")

_PLUGIN_PREFIXES = tuple(prefix for generator in GENERATORS for prefix in generator.plugin_prefixes)  # longest first
_UNVERSIONED = frozenset({BLOG, PAGES, ""})
_LISTING_KINDS = every(lambda generator: generator.listing_kinds)
_POST_KINDS = every(lambda generator: generator.post_kinds)
_API_WORDS = frozenset({"api", "apis", "reference", "references", "api-reference", "cli"})
_EXAMPLE_WORDS = frozenset({"example", "examples", "recipes", "cookbook", "samples", "showcase"})
_FALLBACK_LOCALE = "en"


@dataclass(frozen=True, slots=True)
class SitePage:
    """A page ready to be cut into targets and chunks. `scope.scope_id` is 0 until all scopes are known.

    `listing` marks pages that only list others (tags, archives): they are pages, but their text is the others'.
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


@dataclass(frozen=True, slots=True)
class Site:
    """A whole site, resolved; pages in the order of their URLs."""

    urls: SiteUrls
    title: str
    default_locale: str
    locales: tuple[str, ...]
    pages: list[SitePage]
    redirects: list[Redirect] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)


def resolve_site(
    scan: Scan, manifest: Manifest | None, sources: Mapping[SourceKey, Source], site_url: str | None
) -> Site:
    """Return the site that a scan found."""
    urls = _urls(scan, manifest, site_url)
    default_locale = _default_locale(scan, manifest)
    url_of = {draft.file: urls.of(draft) for draft in scan.pages}
    resolver = _Resolver(manifest, sources, url_of, default_locale, SiteVersions(scan.pages, url_of))
    pages: dict[str, SitePage] = {}
    left_out = list(scan.left_out)
    for draft in scan.pages:
        page = resolver.page(draft)
        if page.front_matter.get("pincite") is False:
            left_out.append(LeftOut(draft.file, "pincite: false"))
        elif page.url in pages:
            left_out.append(LeftOut(draft.file, f"same URL as {pages[page.url].draft.file}"))
        else:
            pages[page.url] = page
    if manifest is None:
        _mark_untranslated(pages, urls.base_url, default_locale)
    ordered = [pages[url] for url in sorted(pages)]
    locales = tuple(sorted({page.scope.locale for page in ordered}, key=lambda name: (name != default_locale, name)))
    return Site(urls, _title(scan, manifest), default_locale, locales, ordered, _redirects(scan, urls), left_out)


def _mark_untranslated(pages: dict[str, SitePage], base_url: str, default_locale: str) -> None:
    texts: dict[bytes, frozenset[str]] = {}  # by content, which the versions of a page share

    def texts_of(draft: PageDraft) -> frozenset[str]:
        if draft.digest not in texts:
            texts[draft.digest] = compared_texts(draft)
        return texts[draft.digest]

    for url, page in pages.items():
        if page.scope.locale == default_locale or page.listing:
            continue
        twin = pages.get(twin_url(url, base_url))
        if twin and twin.scope.locale == default_locale and repeats(texts_of(page.draft), texts_of(twin.draft)):
            pages[url] = replace(page, translated=False)


class _Resolver:
    def __init__(
        self,
        manifest: Manifest | None,
        sources: Mapping[SourceKey, Source],
        url_of: Mapping[str, str],
        default_locale: str,
        versions: SiteVersions,
    ) -> None:
        self.by_file = {page.html: page for page in manifest.pages} if manifest else {}
        self.site_dir = Path(manifest.site_dir) if manifest and manifest.site_dir else None
        self.locale = manifest.locale if manifest else ""
        self.sources, self.url_of, self.default_locale, self.versions = sources, url_of, default_locale, versions

    def page(self, draft: PageDraft) -> SitePage:
        known = self.by_file.get(draft.file)
        scope = self._scope(draft, known)
        doc_id = (known.doc_id if known else None) or draft.facts.doc_id
        url = encode_path(known.route) if known else self.url_of[draft.file]
        names = _endings(url) if draft.facts.page_kind in _POST_KINDS else [doc_id]
        source = self._source(known, scope, names)
        return SitePage(
            draft,
            url,
            scope,
            (known.title if known and known.title else None)
            or page_title(draft.file, draft.facts, draft.pieces, scope.plugin),
            (known.description if known and known.description else None) or draft.facts.description,
            _source_type(scope.plugin, url, doc_id),
            doc_id,
            (known.tags if known and known.tags else None) or draft.facts.tags,
            known.translated is not False if known else True,
            (known.front_matter if known else None) or (source.front_matter if source else {}),
            (known.source if known else None) or (source.path if source else ""),
            source.explicit_ids if source else frozenset(),
            _is_listing(draft, known),
        )

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

    def _source(self, known: ManifestPage | None, scope: Scope, names: list[str]) -> Source | None:
        if known and known.source and self.site_dir:
            file = self.site_dir / known.source.removeprefix("@site/")
            return read_source(file, known.source) if file.is_file() else None
        plugin_id = BLOG if scope.plugin == BLOG else scope.plugin_id or "default"
        keys = ((locale, plugin_id, scope.version, name) for name in names for locale in (scope.locale, ""))
        return next((self.sources[key] for key in keys if key in self.sources), None)


def _urls(scan: Scan, manifest: Manifest | None, site_url: str | None) -> SiteUrls:
    if manifest is None:
        return site_urls(scan.pages, site_url, None)
    return site_urls(scan.pages, site_url or manifest.url or None, manifest.base_url)


def _default_locale(scan: Scan, manifest: Manifest | None) -> str:
    if manifest and manifest.default_locale:
        return manifest.default_locale
    home = next((page for page in scan.pages if page.file == "index.html"), None)
    if home and home.facts.locale:
        return home.facts.locale
    counts = Counter(page.facts.locale for page in scan.pages if page.facts.locale)
    return counts.most_common(1)[0][0] if counts else _FALLBACK_LOCALE


def _title(scan: Scan, manifest: Manifest | None) -> str:
    if manifest and manifest.title:
        return manifest.title
    counts = Counter(page.facts.site_title for page in scan.pages if page.facts.site_title)
    return counts.most_common(1)[0][0] if counts else ""


def _redirects(scan: Scan, urls: SiteUrls) -> list[Redirect]:
    found = {}
    for stub in scan.stubs:
        url = file_to_url(stub.file, urls.base_url, bare=urls.bare)
        goal = resolve(stub.facts.forwards_to, url, urls.site_url)
        if goal and goal != url:
            path, mark, fragment = goal.partition("#")
            found[url] = encode_path(unquote(path)) + mark + fragment
    return [Redirect(url, found[url]) for url in sorted(found)]


def _endings(url: str) -> list[str]:
    """Return the ends of a URL's path, the longest first: posts are known by them."""
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
