"""Describe Sphinx, whose pages are recognised by a script, as they do not name their generator.

Sphinx adds lists of names and pages of source code. `sphinx.ext.viewcode` writes `_modules/a/b.html` for the module
`a.b`, and `_modules/index.html`, which lists the modules.
"""

import re

from pincite_indexer.generators.generator import Generator

__all__ = ("SPHINX",)

SPHINX = Generator(
    name="Sphinx",
    script="documentation_options.js",
    content_otherwise=('.//div[contains(concat(" ", @class, " "), " body ")]',),
    furniture=frozenset({"headerlink", "sphinxsidebar", "related", "viewcode-link", "viewcode-back"}),
    furniture_in={"label": "footnote"},  # a footnote's number
    footnote_marks=frozenset({"footnote-reference"}),
    code_tables=frozenset({"highlighttable"}),
    notes=frozenset({"admonition", "deprecated", "versionadded", "versionchanged"}),
    member_terms=frozenset({"c", "cpp", "js", "php", "py"}),  # languages; options (`std`) are lists of lines
    labels=("admonition-title", "code-block-caption"),
    tab_label=frozenset({"tab-label", "sd-tab-label"}),  # from the extensions sphinx-inline-tabs and sphinx-design
    tab_panels_in=frozenset({"tab-set", "sd-tab-set"}),
    edit_links=frozenset({"fa-github", "fa-gitlab", "fa-bitbucket"}),  # from the theme of Read the Docs
    source_copies="_sources/",
    title_tail=re.compile(r"(?: v?\d[\w.+-]*)? documentation$"),
    listing_files=re.compile(r"(?:^|/)(?:genindex(?:-[^/]+)?|[a-z]+-modindex)(?:\.html|/index\.html)$"),
    code_pages=re.compile(r"(?:^|/)_modules/(.+?)(?:/index)?\.html$"),
)
