"""Define the record of a site generator: how its pages are recognised, and the meaning of their markup."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lxml import etree

__all__ = ("BLOG", "DOCS", "PAGES", "Generator", "PageMarkup", "PageMetadata", "RepeatedContent", "SourceKey")

DOCS, BLOG, PAGES = "docs", "blog", "pages"
"""Parts of a site (`Scope.plugin`), named after Docusaurus's plugins; other parts may exist."""

SourceKey = tuple[str, str, str | None, str]
"""(locale, plugin ID, version name, document ID or end of a post's URL); an empty locale is the default one."""


@dataclass(frozen=True, slots=True)
class PageMarkup:
    """Metadata of a page: the classes of `<html>`, its meta tags, and its landmarks in document order."""

    classes: tuple[str, ...]
    metas: Mapping[str, str]
    articles: tuple[etree._Element, ...]
    navs: tuple[etree._Element, ...]
    footers: tuple[etree._Element, ...]
    scripts: tuple[etree._Element, ...]


@dataclass(frozen=True, slots=True)
class PageMetadata:
    """Place of a page within its site, as its generator wrote it into the page; missing values are empty.

    `breadcrumbs` and `tags` are elements whose texts count. `page_kind` is the generator's own word.
    """

    locale: str = ""
    plugin: str = ""
    plugin_id: str = ""
    version: str | None = None
    version_label: str = ""
    doc_id: str = ""
    page_kind: str = ""
    breadcrumbs: tuple[etree._Element, ...] = ()
    tags: tuple[etree._Element, ...] = ()


@dataclass(frozen=True, slots=True)
class RepeatedContent:
    """Markers of a page's content in its source, for generators that repeat contents in versions and locales.

    Attributes:
        opening: Tag of the `div` around the content.
        menu: Start of the tag of the menu beside the content.
        menu_end: End of the menu.
        heading_link: Class of the links beside headings, whose titles are translated.
    """

    opening: bytes
    menu: bytes
    menu_end: bytes
    heading_link: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Generator:
    """Site generator; its classes apply to the pages of all generators, because themes borrow from each other.

    Attributes:
        name: Start of its name in `<meta name="generator">`; empty if it does not name itself.
        script: Part of the URL of a script that only its pages load, if it does not name itself.
        content: XPaths of the element with a page's content, best guess first. Each path tests the tag first, which is
            quick, then the class, and then the ancestors. This order keeps the time linear, however deep a page is
            nested.
        content_otherwise: XPaths for pages without any generator's `content`.
        content_class: Class of the content's `div` in an article, which is found without an XPath.
        repeated: Markers of the content in a page's source, if copies of a page share their content.
        furniture: Classes of boilerplate: links beside headings, buttons, menus, columns of line numbers.
        furniture_in: Class attributes that are boilerplate only if a class of the parent has the given prefix.
        badges: Classes of elements in a heading that do not belong to its text.
        own_lines: Classes of parts of a heading that have their own line.
        footnote_marks: Classes of footnote numbers and of back links.
        code_tables: Classes of tables that show code with a column of line numbers.
        code_lines: Classes of elements that are one line of code each.
        notes: Classes of admonitions.
        labels: Class prefixes of labels: an admonition's title, a code block's file name.
        tab_groups: Classes of the elements around a tab group without an ARIA role.
        tab_labels: Classes of the list of labels in such a group.
        tab_label: Classes of a single label before its panel.
        tab_panels: Classes of tab panels.
        tab_panels_in: Classes of elements in which each `div` is a panel.
        option_anchors: Classes of the anchors of options.
        member_headings: Classes of the headings of API members.
        member_terms: Classes of the definition terms of API members.
        edit_links: Parts of the classes of links to a page's source, if the links' URLs do not show it.
        source_copies: Folder of published source copies, with a trailing slash.
        read_metadata: Function that reads the page's place from its markup.
        title_tail: Suffix that the generator adds to a site's name in `<title>`.
        version_labels: Labels of some versions, by version name.
        plugin_prefixes: Prefixes of the names of its plugins.
        listing_kinds: Kinds of pages that only list other pages.
        post_kinds: Kinds of pages that are posts; all other pages of a blog list posts.
        listing_files: Pattern of files that only list other pages.
        code_pages: Pattern of files that show a module's source code; the group is the module's path.
        source_key: Function that returns the key of a source's page. Its arguments are the parts of the source's path,
            its front matter, and whether the sources have a sub-folder `docs`.
    """

    name: str = ""
    script: str = ""
    content: tuple[str, ...] = ()
    content_otherwise: tuple[str, ...] = ()
    content_class: str = ""
    repeated: RepeatedContent | None = None
    furniture: frozenset[str] = frozenset()
    furniture_in: Mapping[str, str] = field(default_factory=dict)
    badges: frozenset[str] = frozenset()
    own_lines: frozenset[str] = frozenset()
    footnote_marks: frozenset[str] = frozenset()
    code_tables: frozenset[str] = frozenset()
    code_lines: frozenset[str] = frozenset()
    notes: frozenset[str] = frozenset()
    labels: tuple[str, ...] = ()
    tab_groups: frozenset[str] = frozenset()
    tab_labels: frozenset[str] = frozenset()
    tab_label: frozenset[str] = frozenset()
    tab_panels: frozenset[str] = frozenset()
    tab_panels_in: frozenset[str] = frozenset()
    option_anchors: frozenset[str] = frozenset()
    member_headings: frozenset[str] = frozenset()
    member_terms: frozenset[str] = frozenset()
    edit_links: frozenset[str] = frozenset()
    source_copies: str = ""
    read_metadata: Callable[[PageMarkup], PageMetadata] | None = None
    title_tail: re.Pattern[str] | None = None
    version_labels: Mapping[str, str] = field(default_factory=dict)
    plugin_prefixes: tuple[str, ...] = ()
    listing_kinds: frozenset[str] = frozenset()
    post_kinds: frozenset[str] = frozenset()
    listing_files: re.Pattern[str] | None = None
    code_pages: re.Pattern[str] | None = None
    source_key: Callable[[Sequence[str], Mapping[str, Any], bool], SourceKey] | None = None
