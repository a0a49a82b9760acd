"""Describe MkDocs with its theme Material."""

from pincite_indexer.generators.generator import Generator, PageMarkup, Said

__all__ = ("MKDOCS",)


def _says(page: PageMarkup) -> Said:
    return Said(tags=tuple(tag for nav in page.navs if nav.get("class") == "md-tags" for tag in nav))


MKDOCS = Generator(
    name="mkdocs",
    content=('.//article[contains(concat(" ", @class, " "), " md-content__inner ")]',),
    furniture=frozenset({"headerlink", "md-source-file", "md-content__button", "md-feedback"}),
    footnote_marks=frozenset({"footnote-ref", "footnote-backref"}),
    code_tables=frozenset({"highlighttable"}),
    notes=frozenset({"admonition"}),
    labels=("admonition-title", "filename"),
    tab_groups=frozenset({"tabbed-set"}),
    tab_labels=frozenset({"tabbed-labels"}),
    tab_panels=frozenset({"tabbed-block"}),
    edit_links=frozenset({"md-content__button"}),
    says=_says,
)
