"""What a site generator is to the rest of the indexer: how its pages are known, and what their markup means."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lxml import etree

__all__ = ("BLOG", "DOCS", "PAGES", "Generator", "PageMarkup", "RepeatedContent", "Said", "SourceKey")

DOCS, BLOG, PAGES = "docs", "blog", "pages"
"""The parts of a site (`Scope.plugin`), named as by the generator that has plugins for them; there may be others."""

SourceKey = tuple[str, str, str | None, str]
"""(locale, plugin id, version name, doc id or end of a post's URL); an empty locale is the default one."""


@dataclass(frozen=True, slots=True)
class PageMarkup:
    """What a page says of itself: the classes of `<html>`, its metas, and its landmarks in document order."""

    classes: tuple[str, ...]
    metas: Mapping[str, str]
    articles: tuple[etree._Element, ...]
    navs: tuple[etree._Element, ...]
    footers: tuple[etree._Element, ...]
    scripts: tuple[etree._Element, ...]


@dataclass(frozen=True, slots=True)
class Said:
    """What a generator wrote into a page of where the page belongs; empty where it wrote nothing.

    `breadcrumbs` and `tags` are elements whose texts are meant; `page_kind` is the generator's own word.
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
    """How the source of a page shows its content, of a generator whose versions and locales repeat most contents.

    `opening` is the tag of the `div` that holds it; `menu` how the tag of the menu beside it begins, and `menu_end` its
    end; `heading_link` the class of the links beside headings, whose titles are translated.
    """

    opening: bytes
    menu: bytes
    menu_end: bytes
    heading_link: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Generator:
    """One site generator. What its markup means holds for every page: themes borrow from each other's.

    Attributes:
        name: How its name begins in `<meta name="generator">`; empty for what names itself in no page.
        script: Part of the address of a script that its pages alone load, if it does not name itself.
        content: XPaths of the element that holds a page's content, best guess first. Each looks for the tag first,
            which is quick, then the class, and for what is around it after, which stays linear however deep a page is
            nested.
        content_otherwise: XPaths for pages that have no generator's `content`.
        content_class: Class of the `div` in an article that is the content, found without a path.
        repeated: How a page's source shows its content, where reading it once for all its copies pays.
        furniture: Classes of what is no content: links beside headings, buttons, menus, columns of line numbers.
        furniture_in: A whole class attribute that is furniture only in a parent with a class that begins so.
        badges: Classes of what stands in a heading and does not belong to its text.
        own_lines: Classes of parts of a heading that stand on a line of their own.
        footnote_marks: Classes of the numbers of footnotes and of the ways back from them.
        code_tables: Classes of tables that are code with a column of line numbers.
        code_lines: Classes of elements that are one line of code each.
        notes: Classes of admonitions: remarks set apart from the text around them.
        labels: How the classes of what only names what follows begin: an admonition's word, a code block's file.
        tab_groups: Classes of the elements around a group of tabs that has no ARIA role.
        tab_labels: Classes of the list of labels in such a group.
        tab_label: Classes of a label that stands by itself before its panel.
        tab_panels: Classes of its panels.
        tab_panels_in: Classes of elements each `div` of which is a panel.
        option_anchors: Classes of the anchors of options.
        member_headings: Classes of the headings of members of a programming interface.
        member_terms: Classes of the terms that such members are defined under.
        edit_links: Parts of the classes of links to a page's own source, where their addresses do not show it.
        source_copies: The folder of the copies of its sources that it publishes, with a slash.
        says: Reads what it wrote into a page of where the page belongs.
        title_tail: What it adds to a site's name in `<title>`.
        version_labels: What it calls some versions, by their names.
        plugin_prefixes: What its plugins' names begin with.
        listing_kinds: The kinds of pages that only list others.
        post_kinds: The kinds of pages that are posts; all others of a blog list them.
        listing_files: The files of pages that only list others.
        code_pages: The files that show a module's source code; the group is the module's path.
        source_key: Tells which page a Markdown source makes, from its path's parts below the folder of sources, its
            front matter and whether that folder has a sub-folder `docs`.
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
    says: Callable[[PageMarkup], Said] | None = None
    title_tail: re.Pattern[str] | None = None
    version_labels: Mapping[str, str] = field(default_factory=dict)
    plugin_prefixes: tuple[str, ...] = ()
    listing_kinds: frozenset[str] = frozenset()
    post_kinds: frozenset[str] = frozenset()
    listing_files: re.Pattern[str] | None = None
    code_pages: re.Pattern[str] | None = None
    source_key: Callable[[Sequence[str], Mapping[str, Any], bool], SourceKey] | None = None
