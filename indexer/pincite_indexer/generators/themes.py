"""Describe themes, and generators with one theme, by the classes of their content, boilerplate, tabs and notes."""

from pincite_indexer.generators.generator import Generator

__all__ = ("THEMES",)

DJANGO = Generator(content_parts=frozenset({"yui-main"}))  # its theme of Sphinx

DOCBOOK = Generator(name="DocBook", furniture=frozenset({"navheader", "navfooter"}))

HONKIT = Generator(name="HonKit", furniture=frozenset({"search-results"}))  # an empty list, hidden by a style sheet

HUGO = Generator(
    name="Hugo",
    furniture=frozenset(
        "feedback--title feedback--question feedback--answer feedback--response td-page-meta "  # of the theme Docsy
        "book-menu book-header book-toc book-footer".split()  # of the theme Book
    ),
    tab_panels_in=frozenset({"book-tabs"}),
)

LATEX2HTML = Generator(furniture=frozenset({"navigation"}))

STARLIGHT = Generator(
    name="Starlight",
    furniture=frozenset({"sl-anchor-link"}),
    furniture_in={"sr-only": "header"},  # "Terminal window" above code, for screen readers
    notes=frozenset({"starlight-aside"}),
    labels=("starlight-aside__title",),
)

VUEPRESS = Generator(
    name="VuePress",
    furniture=frozenset({"vp-code-tab-title", "vp-tab-title", "vp-page-meta"}),
    notes=frozenset({"hint-container"}),
    labels=("hint-container-title",),
)

THEMES = (DJANGO, DOCBOOK, HONKIT, HUGO, LATEX2HTML, STARLIGHT, VUEPRESS)
"""All of them; a record of one of them without a name only adds classes."""
