"""Describe VitePress: separate containers for home page and docs, and code highlighted by Shiki."""

from pincite_indexer.generators.generator import Generator

__all__ = ("VITEPRESS",)

VITEPRESS = Generator(
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
    code_lines=frozenset({"line"}),
    notes=frozenset({"custom-block"}),
    labels=("custom-block-title",),
    edit_links=frozenset({"edit-link-button"}),
    tab_groups=frozenset({"vp-code-group"}),
    tab_labels=frozenset({"tabs"}),
    tab_panels_in=frozenset({"blocks"}),
)
