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
    """Markers of a page's content in its source, for generators that repeat contents in versions and locales."""

    opening: bytes  # tag of the `div` around the content
    menu: bytes  # start of the tag of the menu beside the content
    menu_end: bytes
    heading_link: bytes  # class of the links beside headings, whose titles are translated


@dataclass(frozen=True, slots=True, kw_only=True)
class Generator:
    """Site generator; its classes apply to the pages of all generators, because themes borrow from each other."""

    name: str = ""  # start of its name in `<meta name="generator">`; empty if it does not name itself
    script: str = ""  # part of the URL of a script that only its pages load, if it does not name itself

    # XPaths of the element with a page's content, best guess first. Each path tests the tag first, which is quick, then
    # the class, and then the ancestors. This order keeps the time linear, however deep a page is nested.
    content: tuple[str, ...] = ()
    content_otherwise: tuple[str, ...] = ()  # XPaths for pages without any generator's `content`
    content_parts: frozenset[str] = frozenset()  # classes and IDs of the content in `main` or `body`
    content_class: str = ""  # class of the content's `div` in an article, which is found without an XPath
    frames: frozenset[str] = frozenset()  # IDs and classes of parts around the content of a page without landmarks
    titles: frozenset[str] = frozenset()  # class attributes of elements that show a page's title and are no heading
    repeated: RepeatedContent | None = None  # if copies of a page share their content

    # Classes of parts of a page.
    furniture: frozenset[str] = frozenset()  # boilerplate: links beside headings, buttons, menus, line numbers
    furniture_in: Mapping[str, str] = field(default_factory=dict)  # class attribute -> prefix of a class of the parent
    badges: frozenset[str] = frozenset()  # elements in a heading that do not belong to its text
    boxes: frozenset[str] = frozenset()  # parts of a line that a style sheet sets apart from the text before
    own_lines: frozenset[str] = frozenset()  # parts of a heading that have their own line
    footnote_marks: frozenset[str] = frozenset()  # footnote numbers and back links
    code_tables: frozenset[str] = frozenset()  # tables that show code with a column of line numbers
    code_lines: frozenset[str] = frozenset()  # elements that are one line of code each
    code_asides: frozenset[str] = frozenset()  # parts of code that nobody types: line numbers, callouts, hidden lines
    code_prompts: frozenset[str] = frozenset()  # prompts before typed lines; the other lines of the block are output
    code_blocks: frozenset[str] = frozenset()  # blocks of code other than `pre` elements
    diagrams: frozenset[str] = frozenset()  # the source of a diagram that the page's script draws
    notes: frozenset[str] = frozenset()  # admonitions
    labels: tuple[str, ...] = ()  # class prefixes of labels: an admonition's title, a code block's file name
    tab_groups: frozenset[str] = frozenset()  # elements around a tab group without an ARIA role
    tab_labels: frozenset[str] = frozenset()  # the list of labels in such a group
    tab_label: frozenset[str] = frozenset()  # a single label before its panel
    tab_lists: frozenset[str] = frozenset()  # lists of labels, in any parent
    tab_panels: frozenset[str] = frozenset()
    tab_panels_in: frozenset[str] = frozenset()  # elements in which each `div` is a panel
    label_cells: frozenset[str] = frozenset()  # table cells that are the label of the admonition in the next cell
    signatures: frozenset[str] = frozenset()  # tables that show the signature of an API member
    grids: frozenset[str] = frozenset()  # tables built from `div` elements without rows
    grid_headers: frozenset[str] = frozenset()  # the first cells of such a table, one for each column
    list_styles: Mapping[str, str] = field(default_factory=dict)  # class of a list -> CSS `list-style-type`
    checklists: frozenset[str] = frozenset()  # lists whose items begin with a sign for a checkbox
    task_marks: Mapping[str, bool] = field(default_factory=dict)  # class of an icon -> whether the task is done
    option_anchors: frozenset[str] = frozenset()  # anchors of options
    member_headings: frozenset[str] = frozenset()  # headings of API members
    member_terms: frozenset[str] = frozenset()  # definition terms of API members
    edit_links: frozenset[str] = frozenset()  # links to a page's source, if the links' URLs do not show it
    placeholders: frozenset[str] = frozenset()  # parts without text, which a script fills in browsers
    placeholder_attributes: frozenset[str] = frozenset()  # names of attributes of such parts

    # Classes of the parts of a web API's description, and words in the source of pages that have only fields.
    api_marks: tuple[bytes, ...] = ()
    api_fields: frozenset[str] = frozenset()  # elements around one parameter, or one field of a body
    api_names: frozenset[str] = frozenset()  # a field's name
    api_types: frozenset[str] = frozenset()  # its type, in one or several elements
    api_places: frozenset[str] = frozenset()  # where it is sent: path, query, header
    api_required: frozenset[str] = frozenset()  # a required field, or its name
    api_deprecated: frozenset[str] = frozenset()  # a deprecated field, or its name
    api_values: frozenset[str] = frozenset()  # a box with a label without a colon, and one or several values
    api_labels: frozenset[str] = frozenset()  # the label in such a box
    api_data: frozenset[str] = frozenset()  # a value in it
    api_json: frozenset[str] = frozenset()  # JSON as a tree that readers can fold

    # Facts about a page and its source.
    source_copies: str = ""  # folder of published source copies, with a trailing slash
    read_metadata: Callable[[PageMarkup], PageMetadata] | None = None
    title_tail: re.Pattern[str] | None = None  # suffix that the generator adds to a site's name in `<title>`
    version_labels: Mapping[str, str] = field(default_factory=dict)  # labels of some versions, by version name
    plugin_prefixes: tuple[str, ...] = ()  # prefixes of the names of its plugins, longest first
    listing_kinds: frozenset[str] = frozenset()  # kinds of pages that only list other pages
    post_kinds: frozenset[str] = frozenset()  # kinds of pages that are posts; all other pages of a blog list posts
    listing_files: re.Pattern[str] | None = None  # files that only list other pages
    code_pages: re.Pattern[str] | None = None  # files that show a module's source code; the group is the module's path

    # Function of a source's path (its parts), its front matter, and whether the sources have a folder `docs`.
    source_key: Callable[[Sequence[str], Mapping[str, Any], bool], SourceKey] | None = None
