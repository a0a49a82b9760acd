"""Whole sites from a few lines: files in a folder, scanned, resolved and cut as a build does it."""

from collections.abc import Mapping
from pathlib import Path

from tests.unit.indexer.one_page import document

from pincite_indexer.site.manifest import Manifest
from pincite_indexer.site.resolved_site import Site, resolve_site
from pincite_indexer.site.scan import find_html, scan_site
from pincite_indexer.site.site_page import SitePage
from pincite_indexer.site.sources import read_sources
from pincite_indexer.site.versions.version_lists import ToldVersions, read_version_lists
from pincite_indexer.site.versions.version_pattern import VersionPattern

__all__ = ("docs_page", "make_site", "page_at")


def docs_page(content: str, doc_id: str, *, version: str = "current", locale: str = "en", head: str = "") -> str:
    """Return a Docusaurus docs page."""
    names = f"plugin-docs plugin-id-default docs-version-{version} docs-doc-page docs-doc-id-{doc_id}"
    facts = f'<title>T | S</title><meta name="docusaurus_locale" content="{locale}">'
    facts += f'<meta name="docusaurus_version" content="{version}">{head}'
    wrapped = f'<article><div class="theme-doc-markdown markdown">{content}</div></article>'
    return document(wrapped, facts, f'lang="{locale}" class="{names}"')


def make_site(
    folder: Path,
    files: Mapping[str, str],
    *,
    manifest: Manifest | None = None,
    docs: Path | None = None,
    site_url: str | None = None,
    keep_noindex: bool = False,
    versions: str | None = None,
) -> Site:
    """Write files and resolve the site they make."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    found = find_html(folder)
    told = ToldVersions(VersionPattern.parse(versions) if versions else None, read_version_lists(folder, found))
    scan = scan_site(folder, found, keep_noindex=keep_noindex, advance=lambda: None, with_edit_links=bool(docs))
    return resolve_site(scan, manifest, read_sources(docs) if docs else (), site_url, told)


def page_at(site: Site, url: str) -> SitePage:
    return next(page for page in site.pages if page.url == url)
