"""Resolve a whole site: its pages, languages and versions, and the pages that their authors withhold."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from urllib.parse import unquote

from pincite_core.strip_invisible import strip_invisible
from pincite_core.types import Redirect, Scope
from pincite_core.urls import encode_path, file_to_url, is_site_url, lookup_key, resolve
from pincite_indexer.pages.page_draft import PageDraft
from pincite_indexer.site.compilations import without_compilations
from pincite_indexer.site.inferred import SiteVersions, compared_texts, repeats, twin_url
from pincite_indexer.site.manifest import Manifest
from pincite_indexer.site.page_sources import PageSources
from pincite_indexer.site.recognised import recognised_language
from pincite_indexer.site.scan import LeftOut, Scan
from pincite_indexer.site.site_page import PageResolver, SitePage
from pincite_indexer.site.site_urls import SiteUrls, site_urls
from pincite_indexer.site.sources import Source
from pincite_indexer.site.withheld import Privacy, Trace, without_traces

__all__ = ("Site", "resolve_site")

_FALLBACK_LOCALE = "en"


@dataclass(frozen=True, slots=True)
class Site:
    """Resolved site.

    Attributes:
        pages: The pages, sorted by URL.
        withheld: Pages that their authors keep out of the index.
        doubtful: Warnings about withheld pages that may be withheld by mistake.
        unmatched: Private sources that match no page.
        silent: Number of pages that declare no language.
        by_text: Language of the site as detected from its text; empty if a page declares one or detection is unsure.
    """

    urls: SiteUrls
    title: str
    default_locale: str
    locales: tuple[str, ...]
    pages: list[SitePage]
    redirects: list[Redirect] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)
    withheld: list[SitePage] = field(default_factory=list)
    doubtful: list[str] = field(default_factory=list)
    unmatched: list[str] = field(default_factory=list)
    silent: int = 0
    by_text: str = ""


def resolve_site(scan: Scan, manifest: Manifest | None, sources: Collection[Source], site_url: str | None) -> Site:
    """Return the site for a scan; `sources` are the candidate sources of its pages."""
    urls = _urls(scan, manifest, site_url)
    said = _said_locale(scan, manifest)
    by_text = "" if said else recognised_language(scan.pages) or ""
    default_locale = said or by_text or _FALLBACK_LOCALE
    resolver = _resolver(scan, manifest, PageSources(sources, (*scan.pages, *scan.others)), urls, default_locale)
    privacy = Privacy(sources)
    pages: dict[str, SitePage] = {}
    withheld: list[SitePage] = []
    left_out = list(scan.left_out)
    for draft in scan.pages:
        page, found = resolver.page(draft)
        if privacy.withholds(draft, page.front_matter, found):
            withheld.append(page)
            left_out.append(LeftOut(draft.file, "pincite: false"))
        elif page.url in pages:
            left_out.append(LeftOut(draft.file, f"same URL as {pages[page.url].draft.file}"))
        else:
            pages[page.url] = page
    for draft in scan.others if sources else ():
        privacy.note(draft, resolver.page(draft)[1])
    if manifest is None:
        _mark_untranslated(pages, urls.base_url, default_locale)
    hidden = {lookup_key(page.url): Trace.of(page.draft) for page in withheld}
    ordered = without_compilations(_without_traces(pages[url], urls, hidden) for url in sorted(pages))
    return Site(
        urls,
        _title(scan, manifest),
        default_locale,
        _locales(ordered, default_locale),
        ordered if manifest else _with_own_matter(ordered),
        [redirect for redirect in _redirects(scan, urls) if lookup_key(redirect.to_url) not in hidden],
        left_out,
        withheld,
        privacy.doubtful(),
        [] if manifest else privacy.unmatched({page.scope for page in ordered}),
        0 if manifest and manifest.locale else sum(not page.draft.facts.locale for page in ordered),
        by_text,
    )


def _resolver(
    scan: Scan, manifest: Manifest | None, sources: PageSources, urls: SiteUrls, default_locale: str
) -> PageResolver:
    url_of = {draft.file: urls.of(draft) for draft in (*scan.pages, *scan.others)}
    return PageResolver(manifest, sources, url_of, default_locale, SiteVersions(scan.pages, url_of))


def _locales(pages: Iterable[SitePage], default_locale: str) -> tuple[str, ...]:
    return tuple(sorted({page.scope.locale for page in pages}, key=lambda name: (name != default_locale, name)))


def _without_traces(page: SitePage, urls: SiteUrls, hidden: Mapping[str, Trace]) -> SitePage:
    draft = without_traces(page.draft, page.url, urls.site_url, hidden) if hidden else page.draft
    return page if draft is page.draft else replace(page, draft=draft)


def _with_own_matter(pages: list[SitePage]) -> list[SitePage]:
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


def _mark_untranslated(pages: dict[str, SitePage], base_url: str, default_locale: str) -> None:
    texts: dict[bytes, frozenset[str]] = {}  # by content, because versions of a page share it

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


def _urls(scan: Scan, manifest: Manifest | None, site_url: str | None) -> SiteUrls:
    if manifest is None:
        return site_urls(scan.pages, site_url, None)
    return site_urls(scan.pages, site_url or manifest.url or None, manifest.base_url)


def _said_locale(scan: Scan, manifest: Manifest | None) -> str:
    """Return the default locale from the manifest or the pages; empty if none declares it."""
    if manifest and manifest.default_locale:
        return manifest.default_locale
    home = next((page for page in scan.pages if page.file == "index.html"), None)
    if home and home.facts.locale:
        return home.facts.locale
    counts = Counter(page.facts.locale for page in scan.pages if page.facts.locale)
    return counts.most_common(1)[0][0] if counts else ""


def _title(scan: Scan, manifest: Manifest | None) -> str:
    if manifest and manifest.title:
        return strip_invisible(manifest.title)
    counts = Counter(page.facts.site_title for page in scan.pages if page.facts.site_title)
    return counts.most_common(1)[0][0] if counts else ""


def _redirects(scan: Scan, urls: SiteUrls) -> list[Redirect]:
    found = {}
    for stub in scan.stubs:
        url = file_to_url(stub.file, urls.base_url, bare=urls.bare)
        goal = resolve(stub.facts.forwards_to, url, urls.site_url)
        if goal and goal != url:
            path, mark, fragment = goal.partition("#")
            if is_site_url(there := encode_path(unquote(path))):  # decoded, `/%2Fhost` is another site's URL
                found[url] = there + mark + fragment
    return [Redirect(url, found[url]) for url in sorted(found)]
