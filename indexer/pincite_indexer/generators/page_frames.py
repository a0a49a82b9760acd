"""Describe the frames of generators whose pages need nothing else: which part is the content, and what surrounds it."""

from pincite_indexer.generators.generator import Generator

__all__ = ("PAGE_FRAMES",)

HUGO = Generator(
    name="Hugo",
    furniture=frozenset(
        "feedback--title feedback--question feedback--answer feedback--response td-page-meta "  # of the theme Docsy
        "book-menu book-header book-toc book-footer".split()  # of the theme Book
    ),
)

RUSTDOC = Generator(
    name="rustdoc",
    furniture=frozenset(
        # `rightside` stands before the heading that it belongs to, and would end the section before
        "rightside out-of-band srclink test-arrow hideme notable-traits sub-logo-container".split()
    ),
    code_asides=frozenset({"notable-traits"}),
)

STARLIGHT = Generator(
    name="Starlight",
    furniture_in={"sr-only": "header"},  # "Terminal window" above code, for screen readers
)

HONKIT = Generator(name="HonKit", furniture=frozenset({"search-results"}))  # an empty list, hidden by a style sheet

DOCBOOK = Generator(name="DocBook", furniture=frozenset({"navheader", "navfooter"}))

HADDOCK = Generator(code_asides=frozenset({"annottext"}))  # types of names in code, shown when a reader points at them

NODE = Generator(content_parts=frozenset({"apicontent"}))  # the documentation of Node.js

QDOC = Generator(content_parts=frozenset({"mainContent"}), furniture=frozenset({"sidebar-content"}))

PAGE_FRAMES = (HUGO, RUSTDOC, STARLIGHT, HONKIT, DOCBOOK, HADDOCK, NODE, QDOC)
