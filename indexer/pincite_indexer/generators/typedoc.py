"""Describe TypeDoc's API pages, which are part of another generator's site."""

from pincite_indexer.generators.generator import Generator

__all__ = ("TYPEDOC",)

TYPEDOC = Generator(
    furniture=frozenset({"tsd-index-panel"}),  # the list of the following members
    member_headings=frozenset({"tsd-panel-header"}),
)
