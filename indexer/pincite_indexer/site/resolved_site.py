"""Resolve a whole site: its pages, languages and versions, and the pages that their authors withhold."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from urllib.parse import unquote

from pincite_core.strip_invisible import strip_invisible
from pincite_core.types import Redirect, Scope
from pincite_core.urls import encode_path, file_to_url, is_site_url, lookup_key, resolve
from pincite_indexer.pages.page_draft import PageDraft
from pincite_indexer.site.inferred import SiteVersions, detect_language, translatable_texts
from pincite_indexer.site.manifest import Manifest
from pincite_indexer.site.page_sources import PageSources
from pincite_indexer.site.repeated_text import mark_compilations
from pincite_indexer.site.scan import Scan, SkippedFile
from pincite_indexer.site.site_page import PageResolver, SitePage
from pincite_indexer.site.site_urls import SiteUrls, site_urls
from pincite_indexer.site.sources import Source
from pincite_indexer.site.versions.version_folders import find_version_folders
from pincite_indexer.site.versions.version_groups import folder_versions
from pincite_indexer.site.versions.version_lists import NOTHING_TOLD, ToldVersions
from pincite_indexer.site.versions.version_sets import NO_VERSIONS, FolderVersions
from pincite_indexer.site.withheld import Privacy, without_traces

__all__ = ("Site", "resolve_site")

_FALLBACK_LOCALE = "en"
_SAME = 0.9  # share of the texts of an untranslated page; the theme's own labels are translated everywhere


@dataclass(frozen=True, slots=True)
class Site:
    """Resolved site."""

    urls: SiteUrls
    title: str
    default_locale: str
    locales: tuple[str, ...]
    pages: list[SitePage]  # sorted by URL
    redirects: list[Redirect]
    skipped: list[SkippedFile]
    withheld: list[SitePage]  # pages that their authors keep out of the index
    uncertain_matches: list[str]  # warnings about pages that may be withheld by mistake
    unmatched_sources: list[str]  # private sources that match no page
    pages_without_language: int  # number of pages that declare no language
    detected_language: str  # of the site's text; empty if a page declares one or detection is unsure
    folders: FolderVersions = NO_VERSIONS

    def version_urls(self) -> dict[Scope, tuple[str, ...]]:
        """Return the URLs of the folders of each version, without scopes whose pages tell their version."""
        found: dict[Scope, set[str]] = defaultdict(set)
        for page in self.pages:
            if page.folder:
                folders = (page.folder.folder, *page.folder.copies)
                found[page.scope].update(encode_path(self.urls.base_url + folder) for folder in folders)
        return {scope: tuple(sorted(urls)) for scope, urls in found.items()}


def resolve_site(
    scan: Scan,
    manifest: Manifest | None,
    sources: Collection[Source],
    site_url: str | None,
    told: ToldVersions = NOTHING_TOLD,
) -> Site:
    """Return the site for a scan; `sources` are the candidate sources of its pages.

    Raises:
        InputError: The site's URL is invalid, or the pattern of versions matches no folder.
    """
    origin = site_url or (manifest.url if manifest else "")
    folders = _folder_versions(scan, manifest, told)
    urls = site_urls(scan.pages, origin or None, manifest.base_url if manifest else None, folders.named_by)
    declared = _declared_locale(scan, manifest)
    detected = "" if declared else detect_language(scan.pages) or ""
    default_locale = declared or detected or _FALLBACK_LOCALE
    drafts = (*scan.pages, *scan.skipped_pages)
    url_of = {draft.file: urls.of(draft) for draft in drafts}
    versions = SiteVersions(scan.pages, url_of)
    resolver = PageResolver(manifest, PageSources(sources, drafts), url_of, default_locale, versions, folders)
    privacy = Privacy(sources)
    pages: dict[str, SitePage] = {}
    withheld: list[SitePage] = []
    copies: dict[str, str] = {}
    skipped = list(scan.skipped)
    for draft in scan.pages:
        page, found = resolver.page(draft)
        if privacy.withholds(draft, page.front_matter, found):
            withheld.append(page)
            skipped.append(SkippedFile(draft.file, "pincite: false"))
        elif folders.is_not_found(draft.file):
            skipped.append(SkippedFile(draft.file, "not-found page"))
        elif original := folders.copies.get(draft.file):
            skipped.append(SkippedFile(draft.file, "copy in another folder of its version"))
            copies[page.url] = url_of[original]
        elif page.url in pages:
            skipped.append(SkippedFile(draft.file, "same URL as another page", pages[page.url].draft.file))
        else:
            pages[page.url] = page
    for draft in scan.skipped_pages if sources else ():
        privacy.note(draft, resolver.page(draft)[1])
    _mark_current(pages, folders)
    if manifest is None:
        _mark_untranslated(pages, urls.base_url, default_locale)
    hidden = {lookup_key(page.url): page.draft for page in withheld}
    shown = (without_traces(pages[url], urls.site_url, hidden) for url in sorted(pages))
    ordered = mark_compilations(shown)
    titles = (page.facts.site_title for page in scan.pages)
    return Site(
        urls,
        strip_invisible(manifest.title) if manifest and manifest.title else _most_common(titles),
        default_locale,
        tuple(sorted({page.scope.locale for page in ordered}, key=lambda name: (name != default_locale, name))),
        ordered if manifest else _with_unique_ids(ordered),
        [
            redirect
            for redirect in _redirects(scan, urls, copies | _other_urls(pages, urls, folders))
            if lookup_key(redirect.to_url) not in hidden
        ],
        skipped,
        withheld,
        privacy.uncertain_matches(),
        [] if manifest else privacy.unmatched_sources({page.scope for page in ordered}),
        0 if manifest and manifest.locale else sum(not page.draft.facts.locale for page in ordered),
        detected,
        folders,
    )


def _folder_versions(scan: Scan, manifest: Manifest | None, told: ToldVersions) -> FolderVersions:
    """Return the versions in folders, unless the site's generator names the versions itself."""
    named = {page.facts.version for page in scan.pages if page.facts.plugin and page.facts.version}
    if manifest or (len(named) > 1 and not told.pattern):
        return NO_VERSIONS
    return folder_versions(find_version_folders(scan.pages, told.pattern, told.lists), told.lists, scan.stubs)


def _mark_current(pages: dict[str, SitePage], folders: FolderVersions) -> None:
    """Mark the pages of each part's current version, in each language that has it or else an older one."""
    names: dict[tuple[str, str], set[str]] = defaultdict(set)
    for page in pages.values():
        if page.folder and page.scope.version:
            names[page.folder.part, page.scope.locale].add(page.scope.version)
    current = {key: folders.current(key[0], found) for key, found in names.items()}
    for url, page in pages.items():
        if page.folder and page.scope.version == current[page.folder.part, page.scope.locale]:
            pages[url] = replace(page, scope=replace(page.scope, is_last=True))


def _other_urls(pages: Mapping[str, SitePage], urls: SiteUrls, folders: FolderVersions) -> dict[str, str]:
    """Return the URLs of pages in other folders of their versions, such as linked ones, with the pages' own URLs."""
    found: dict[str, str] = {}
    for page in pages.values():
        if page.folder and not page.folder.is_root:
            path = page.draft.file.removeprefix(page.folder.folder)
            for folder in page.folder.copies:
                found.setdefault(file_to_url(folder + path, urls.base_url, bare=urls.bare), page.url)
    return found


def _declared_locale(scan: Scan, manifest: Manifest | None) -> str:
    """Return the default locale from the manifest or the pages; empty if none declares it."""
    if manifest and manifest.default_locale:
        return manifest.default_locale
    home = next((page.facts.locale for page in scan.pages if page.file == "index.html"), "")
    return home or _most_common(page.facts.locale for page in scan.pages)


def _most_common(texts: Iterable[str]) -> str:
    """Return the most common text; empty if all are empty."""
    return next((text for text, _ in Counter(filter(None, texts)).most_common(1)), "")


def _mark_untranslated(pages: dict[str, SitePage], base_url: str, default_locale: str) -> None:
    """Mark pages of other locales that repeat the texts of the same page in the default locale."""
    texts: dict[bytes, frozenset[str]] = {}  # by content, because versions of a page share it

    def texts_of(draft: PageDraft) -> frozenset[str]:
        if draft.digest not in texts:
            texts[draft.digest] = frozenset(translatable_texts(draft))
        return texts[draft.digest]

    for url, page in pages.items():
        if page.scope.locale == default_locale or page.listing:
            continue
        twin = pages.get(base_url + url.removeprefix(base_url).partition("/")[2])  # without the locale's folder
        if twin and twin.scope.locale == default_locale:
            own = texts_of(page.draft)
            if own and len(own & texts_of(twin.draft)) >= _SAME * len(own):
                pages[url] = replace(page, translated=False)


def _with_unique_ids(pages: list[SitePage]) -> list[SitePage]:
    """Keep an author's IDs on only one page of each scope, because copies cannot have the same IDs.

    If the generator itself names a source for a page, no other page keeps that source's IDs. Listings never keep IDs of
    a source. Such pages only match the source's path.
    """
    named = {page.source for page in pages if page.doc_id}
    first: dict[tuple[Scope, str], SitePage] = {}
    for page in sorted(pages, key=lambda page: (len(page.url), page.url)):
        if not page.listing and (page.doc_id or page.source not in named):
            first.setdefault((page.scope, page.source), page)
    return [
        page
        if not page.source or first.get((page.scope, page.source)) is page
        else replace(page, front_matter={}, explicit_ids=frozenset())
        for page in pages
    ]


def _redirects(scan: Scan, urls: SiteUrls, others: Mapping[str, str]) -> list[Redirect]:
    """Return the redirects of forwarding pages, and `others`, the URLs of copies with the URLs of the originals."""
    found = dict(others)
    by_key = {lookup_key(url): goal for url, goal in others.items()}
    for stub in scan.stubs:
        url = file_to_url(stub.file, urls.base_url, bare=urls.bare)
        target = resolve(stub.facts.forwards_to, url, urls.site_url)
        if target and target != url:
            path, mark, fragment = target.partition("#")
            there = encode_path(unquote(path))
            if is_site_url(there):  # decoded, `/%2Fhost` is another site's URL
                found[url] = by_key.get(lookup_key(there), there) + mark + fragment
    return [Redirect(url, found[url]) for url in sorted(found)]
