"""Collect all generators: those of plugins, those with their own modules, and the others, which stand here."""

import re
from collections.abc import Mapping
from dataclasses import fields
from itertools import chain
from typing import Any

from pincite_core.errors import PluginError
from pincite_core.plugins import load_plugins
from pincite_indexer.generators.api_references import API_REFERENCES
from pincite_indexer.generators.docusaurus import DOCUSAURUS
from pincite_indexer.generators.generator import Generator, PageMarkup, PageMetadata
from pincite_indexer.generators.highlighters import HIGHLIGHTERS
from pincite_indexer.generators.openapi import OPENAPI_DOCS, REDOC, SWAGGER_UI
from pincite_indexer.generators.themes import THEMES

__all__ = (
    "GENERATORS",
    "GROUP",
    "MERGED",
    "MKDOCS",
    "PLAIN",
    "READ_THE_DOCS",
    "SPHINX",
    "VITEPRESS",
    "generator_named",
    "name_of_generator",
)

GROUP = "pincite.generators"
"""Name of the entry point group."""

VITEPRESS = Generator(  # separate containers for home page and docs, and code highlighted by Shiki
    name="VitePress",
    content=(
        './/div[contains(concat(" ", @class, " "), " VPHome ")]',
        './/div[contains(concat(" ", @class, " "), " vp-doc ")]',
    ),
    furniture=frozenset({"header-anchor", "line-numbers-wrapper"}),
    furniture_in={"lang": "language-"},  # the name of a code block's language
    badges=frozenset({"VPBadge"}),  # VitePress omits them from its outline too
    own_lines=frozenset({"clip"}),  # the product's name on the home page, above the tagline
    footnote_marks=frozenset({"footnote-ref", "footnote-backref"}),
    notes=frozenset({"custom-block"}),
    labels=("custom-block-title",),
    edit_links=frozenset({"edit-link-button"}),
    tab_groups=frozenset({"vp-code-group"}),
    tab_labels=frozenset({"tabs"}),
    tab_panels_in=frozenset({"blocks"}),
)


def _mkdocs_metadata(page: PageMarkup) -> PageMetadata:
    return PageMetadata(tags=tuple(tag for nav in page.navs if nav.get("class") == "md-tags" for tag in nav))


MKDOCS = Generator(  # with the theme Material
    name="mkdocs",
    content=('.//article[contains(concat(" ", @class, " "), " md-content__inner ")]',),
    furniture=frozenset({"headerlink", "md-source-file", "md-content__button", "md-feedback"}),
    footnote_marks=frozenset({"footnote-ref", "footnote-backref"}),
    notes=frozenset({"admonition"}),
    labels=("admonition-title", "filename"),
    tab_groups=frozenset({"tabbed-set"}),
    tab_labels=frozenset({"tabbed-labels"}),
    tab_panels=frozenset({"tabbed-block"}),
    edit_links=frozenset({"md-content__button"}),
    read_metadata=_mkdocs_metadata,
)

PLAIN = Generator(  # any other HTML: HTML's own landmarks, and code from highlighters (Pygments, Hugo, Jekyll)
    content=('.//div[@role="main"]', ".//main"),
    content_parts=frozenset({"content", "main-content"}),
    content_otherwise=(".//article[count(//article) = 1]",),  # if there are several articles, none is the content
    frames=frozenset("footer sidebar navbar nav breadcrumb breadcrumbs".split()),  # names that many sites use
    furniture=frozenset({"linenos", "linenodiv", "lnt", "rouge-gutter"}),  # columns of line numbers
    list_styles={  # of Tailwind and Bootstrap
        "list-none": "none",
        "list-unstyled": "none",
        "list-[lower-alpha]": "lower-alpha",
        "list-[upper-alpha]": "upper-alpha",
        "list-[lower-roman]": "lower-roman",
        "list-[upper-roman]": "upper-roman",
    },
)

ASCIIDOCTOR = Generator(  # and Antora
    name="Asciidoctor",
    tab_lists=frozenset({"tablist"}),  # from the extension Asciidoctor Tabs
    tab_panels=frozenset({"tabpanel"}),
    list_styles={"lowergreek": "lower-greek"},  # others have the attribute `type`
    notes=frozenset({"admonitionblock"}),  # around a table of one row
    label_cells=frozenset({"icon"}),
    checklists=frozenset({"checklist"}),
    task_marks={"fa-check-square-o": True, "fa-square-o": False},
)

SPHINX = Generator(
    name="Sphinx",
    script="documentation_options.js",  # its pages do not name their generator
    content_otherwise=('.//div[contains(concat(" ", @class, " "), " body ")]',),
    furniture=frozenset(
        # the last is the text of a data set that is shown as HTML
        "headerlink sphinxsidebar related viewcode-link viewcode-back sd-hide-link-text xr-text-repr-fallback".split()
    ),
    furniture_in={"label": "footnote"},  # a footnote's number
    footnote_marks=frozenset({"footnote-reference"}),
    notes=frozenset({"admonition", "deprecated", "versionadded", "versionchanged"}),
    boxes=frozenset({"classifier"}),  # the type of a parameter
    member_terms=frozenset({"c", "cpp", "http", "js", "php", "py"}),  # languages; options (`std`) are lists of lines
    labels=("admonition-title", "code-block-caption"),
    list_styles={  # of docutils
        "arabic": "decimal",
        "loweralpha": "lower-alpha",
        "upperalpha": "upper-alpha",
        "lowerroman": "lower-roman",
        "upperroman": "upper-roman",
    },
    tab_label=frozenset({"tab-label", "sd-tab-label"}),  # from the extensions sphinx-inline-tabs and sphinx-design
    tab_panels_in=frozenset({"tab-set", "sd-tab-set"}),
    edit_links=frozenset({"fa-github", "fa-gitlab", "fa-bitbucket"}),  # from the theme of Read the Docs
    source_copies="_sources/",
    title_tail=re.compile(r"(?: v?\d[\w.+-]*)? documentation$"),
    listing_files=re.compile(r"(?:^|/)(?:genindex(?:-[^/]+)?|[a-z]+-modindex)(?:\.html|/index\.html)$"),
    # `sphinx.ext.viewcode` writes `_modules/a/b.html` for the module `a.b`; `_modules/index.html` lists the modules.
    code_pages=re.compile(r"(?:^|/)_modules/(.+?)(?:/index)?\.html$"),
)


_HOSTED_VERSION = re.compile(r'"version":\s*"([^"\\]+)"')  # in the JSON of the host's menu of versions


def _hosted_metadata(page: PageMarkup) -> PageMetadata:
    """Return the version that Read the Docs adds to the pages that it serves, as meta tags or as JSON."""
    version = page.metas.get("readthedocs-version-slug")
    if version is None:
        data = next((script.text for script in page.scripts if script.get("id") == "READTHEDOCS_DATA"), "")
        match = _HOSTED_VERSION.search(data or "")
        version = match[1] if match else None
    return PageMetadata(version=version)


READ_THE_DOCS = Generator(read_metadata=_hosted_metadata)  # a host of other generators' sites


def _plugin_generators() -> tuple[Generator, ...]:
    """Return the generators of installed plugins.

    Raises:
        PluginError: A plugin cannot be imported, or is not a `Generator`.
    """
    loaded: list[Generator] = []
    for plugin, generator in load_plugins(GROUP):
        if not isinstance(generator, Generator):
            message = f"{plugin} is not a pincite_indexer.generators.generator.Generator. Update or uninstall it."
            raise PluginError(message)
        loaded.append(generator)
    return tuple(loaded)


GENERATORS = (
    *_plugin_generators(),
    DOCUSAURUS,
    OPENAPI_DOCS,
    VITEPRESS,
    MKDOCS,
    REDOC,
    SWAGGER_UI,
    PLAIN,
    ASCIIDOCTOR,
    *API_REFERENCES,
    *THEMES,
    SPHINX,
    READ_THE_DOCS,
    HIGHLIGHTERS,
)
"""All generators, in the order of the content search; plugins come first, as `PLAIN` matches nearly every page."""


def _combined(name: str) -> Any:
    values = [getattr(generator, name) for generator in GENERATORS]
    if isinstance(getattr(PLAIN, name), frozenset):
        return frozenset().union(*values)
    if isinstance(getattr(PLAIN, name), tuple):
        return tuple(chain(*values))
    return {key: value for mapping in values for key, value in mapping.items()}


_COLLECTIONS = [
    field.name for field in fields(Generator) if isinstance(getattr(PLAIN, field.name), frozenset | tuple | Mapping)
]
MERGED = Generator(**{name: _combined(name) for name in _COLLECTIONS})
"""The classes, paths, labels and prefixes of all generators together."""


def name_of_generator(page: PageMarkup) -> str:
    """Return the name of a page's generator; empty if the page does not show it."""
    sources = [script.get("src") or "" for script in page.scripts]
    for generator in GENERATORS:
        if generator.script and any(generator.script in source for source in sources):
            return generator.name
    return page.metas.get("generator", "")


def generator_named(name: str) -> Generator:
    """Return the generator whose name a page's generator name starts with; `PLAIN` if it is unknown."""
    known = (generator for generator in GENERATORS if generator.name and name.startswith(generator.name))
    return next(known, PLAIN)
