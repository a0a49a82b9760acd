"""Describe Docusaurus: the classes of `<html>` give plugin, version and document, and parts are `theme-doc-...`.

Classes with a hashed suffix, such as `codeBlockTitle_kY6l`, are matched by their prefix.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from lxml import etree

from pincite_indexer.generators.generator import (
    BLOG,
    DOCS,
    PAGES,
    Generator,
    PageMarkup,
    PageMetadata,
    RepeatedContent,
    SourceKey,
)

__all__ = ("DOCUSAURUS",)

_TAGS = etree.XPath('.//a[@rel="tag"] | .//*[contains(@class, "theme-doc-footer-tags-row")]//a')
_BADGE = re.compile(r"^[^:：]*[:：]\s*")  # the word for "version" before a version's label
_DOC_ID = "docs-doc-id-"
_NUMBER_PREFIX = re.compile(r"^\d+[-_.\s]+(?=[^\d\W])")  # `01-` is dropped from the names of folders and files
_POST_DATE = re.compile(r"(?:^|(?<=/))(\d{4})[-/](\d{1,2})[-/](\d{1,2})[-/]")
_I18N_BLOG = "docusaurus-plugin-content-blog"
_I18N_DOCS = re.compile(r"docusaurus-plugin-content-docs(?:-(?P<plugin>.+))?")


def _read_metadata(page: PageMarkup) -> PageMetadata:
    names = page.classes
    plugin = next((name[7:] for name in names if name.startswith("plugin-") and not name.startswith("plugin-id-")), "")
    kinds = [name for name in names if name.endswith("-page") and not name.startswith(_DOC_ID)]
    trails = (nav for nav in page.navs if "theme-doc-breadcrumbs" in (nav.get("class") or ""))
    tags = (_TAGS(footer) for footer in page.footers)
    spans = page.articles[0].iterfind("span") if page.articles else ()  # of a badge: `Version: Next`, `版本：Next`
    badges = (span for span in spans if "theme-doc-version-badge" in (span.get("class") or "").split())
    labels = (_BADGE.sub("", " ".join((badge.text or "").split())) for badge in badges)
    version = (
        page.metas.get("docusaurus_version")
        or page.metas.get("docsearch:version")
        or _after(names, "docs-version-")
        or None
    )
    return PageMetadata(
        locale=page.metas.get("docusaurus_locale") or page.metas.get("docsearch:language") or "",
        plugin=plugin,
        plugin_id=_after(names, "plugin-id-"),
        version=None if plugin in {BLOG, PAGES} else version,
        version_label=next(labels, "") if plugin == DOCS else "",
        doc_id=_after(names, _DOC_ID),
        page_kind=kinds[-1] if kinds else "",
        breadcrumbs=tuple(item for nav in trails for item in nav.iter("li")),
        tags=tuple(link for found in tags if isinstance(found, list) for link in found),
    )


def _after(names: Sequence[str], prefix: str) -> str:
    return next((name[len(prefix) :] for name in names if name.startswith(prefix)), "")


def _source_key(parts: Sequence[str], front_matter: Mapping[str, Any], has_docs: bool) -> SourceKey:
    locale, plugin_id, version, rest = _source_place(parts, has_docs)
    folders = [_NUMBER_PREFIX.sub("", part) for part in rest[:-1]]
    stem = _NUMBER_PREFIX.sub("", PurePosixPath(rest[-1]).stem)
    if plugin_id != BLOG:
        return locale, plugin_id, version, "/".join([*folders, str(front_matter.get("id") or stem)])
    slug = front_matter.get("slug")
    if isinstance(slug, str) and slug.strip("/"):
        return locale, plugin_id, version, slug.strip("/")
    dated = _POST_DATE.sub(r"\1/\2/\3/", "/".join([*folders, stem]))  # `2026-01-20-name` is `2026/01/20/name`
    return locale, plugin_id, version, dated.removesuffix("/index")


def _source_place(parts: Sequence[str], has_docs: bool) -> tuple[str, str, str | None, Sequence[str]]:
    """Return (locale, plugin ID, version, path inside the docs folder) from the names of folders."""
    if parts[0] == "i18n" and len(parts) > 3 and parts[2] == _I18N_BLOG:
        return parts[1], BLOG, None, parts[3:]
    if parts[0] == "i18n" and len(parts) > 4:
        match = _I18N_DOCS.fullmatch(parts[2])
        plugin_id = match["plugin"] or "default" if match else parts[2].removeprefix("docusaurus-plugin-content-")
        return parts[1], plugin_id, parts[3].removeprefix("version-"), parts[4:]
    if len(parts) > 2 and parts[0].endswith("versioned_docs"):
        plugin_id = parts[0].removesuffix("versioned_docs").rstrip("_") or "default"
        return "", plugin_id, parts[1].removeprefix("version-"), parts[2:]
    if has_docs and len(parts) > 1:
        plugin_id = "default" if parts[0] == "docs" else parts[0]
        return "", plugin_id, None if plugin_id == BLOG else "current", parts[1:]
    return "", "default", "current", parts


DOCUSAURUS = Generator(
    name="Docusaurus",
    content=(
        './/div[contains(concat(" ", @class, " "), " theme-doc-markdown ")][ancestor::article]',
        '(.//div[contains(concat(" ", @class, " "), " markdown ")][ancestor::article])[1][count(//article) = 1]',
    ),
    # for a landing page without `main`
    content_otherwise=('.//div[contains(concat(" ", @class, " "), " main-wrapper ")]',),
    content_class="theme-doc-markdown",
    repeated=RepeatedContent(
        opening=b'<div class="theme-doc-markdown markdown">',
        menu=b'<aside class="theme-doc-sidebar-container',
        menu_end=b"</aside>",
        heading_link=b"hash-link",
    ),
    furniture=frozenset(
        "hash-link theme-doc-breadcrumbs theme-doc-version-badge theme-doc-version-banner theme-doc-toc-mobile "
        "theme-doc-footer theme-edit-this-page theme-last-updated pagination-nav table-of-contents".split()
    ),
    notes=frozenset({"theme-admonition", "alert"}),
    labels=("admonitionHeading", "codeBlockTitle"),
    tab_groups=frozenset({"tabs-container"}),
    edit_links=frozenset({"theme-edit-this-page"}),
    option_anchors=frozenset({"list-anchor-link"}),
    read_metadata=_read_metadata,
    version_labels={"current": "Next"},
    plugin_prefixes=("docusaurus-plugin-content-", "docusaurus-plugin-", "docusaurus-theme-"),
    listing_kinds=frozenset({"docs-tags-list-page", "docs-tags-doc-list-page"}),
    post_kinds=frozenset({"blog-post-page"}),
    source_key=_source_key,
)
