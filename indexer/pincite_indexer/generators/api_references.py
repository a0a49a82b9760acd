"""Describe generators of API references, whose pages come from source code: signatures, members, tables of members."""

import re

from pincite_indexer.generators.generator import Generator

__all__ = ("API_REFERENCES",)

DOXYGEN = Generator(
    name="Doxygen",
    frames=frozenset("titlearea main-nav side-nav MSearchSelectWindow MSearchResultsWindow".split()),
    titles=frozenset({"headertitle"}),
    furniture=frozenset({"navpath", "ttc", "dynheader"}),
    furniture_in={"summary": "header"},  # links to the page's own sections
    badges=frozenset({"overload", "ingroups", "mlabels"}),
    signatures=frozenset({"memname"}),
    listing_files=re.compile(r"(?:^|/)[^/]+_source\.html$"),  # the code of a file; each function has its own page
)

GI_DOCGEN = Generator(furniture=frozenset({"srclink"}))

HADDOCK = Generator(
    frames=frozenset({"package-header", "synopsis"}),  # the synopsis repeats the declarations
    furniture=frozenset({"selflink"}),
    code_asides=frozenset({"annottext"}),  # types of names in code, shown when a reader points at them
    furniture_in={"link": "src"},  # to the source of a declaration
)

JAVADOC = Generator(
    name="javadoc",
    furniture=frozenset({"topNav", "subNav", "bottomNav"}),  # before version 11, on pages without `main`
    code_blocks=frozenset({"member-signature", "type-signature"}),
    grids=frozenset({"summary-table", "details-table"}),
    grid_headers=frozenset({"table-header"}),
    listing_files=re.compile(
        r"(?:^|/)(?:(?:class-use|index-files)/[^/]+"
        r"|(?:all(?:classes|packages)-index|(?:package|overview)-tree|index-all))\.html$"
    ),
)

NODE = Generator(content_parts=frozenset({"apicontent"}))  # the references of Node.js

QDOC = Generator(content_parts=frozenset({"mainContent"}), furniture=frozenset({"sidebar-content"}))

RUSTDOC = Generator(
    name="rustdoc",
    furniture=frozenset(
        # `rightside` stands before the heading that it belongs to, and would end the section before
        "rightside out-of-band srclink test-arrow hideme notable-traits sub-logo-container".split()
    ),
    furniture_in={  # a sign beside an example, with a tooltip
        "tooltip": "example-wrap",
        **dict.fromkeys(("tooltip compile_fail", "tooltip should_panic", "tooltip ignore"), "information"),
    },
    code_asides=frozenset({"notable-traits"}),
)

TYPEDOC = Generator(  # alone, or as pages of another generator's site
    name="TypeDoc",
    content_parts=frozenset({"col-content"}),
    furniture=frozenset({"tsd-index-panel", "tsd-breadcrumb", "tsd-anchor-icon"}),  # the panel lists the next members
    code_blocks=frozenset({"tsd-signature"}),
    member_headings=frozenset({"tsd-panel-header"}),
)

API_REFERENCES = (TYPEDOC, DOXYGEN, GI_DOCGEN, HADDOCK, JAVADOC, NODE, QDOC, RUSTDOC)
"""All of them; a record of one of them without a name only adds classes."""
