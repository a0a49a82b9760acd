"""TypeDoc's pages about a programming interface, which stand within another generator's site."""

from pincite_indexer.generators.generator import Generator

__all__ = ("TYPEDOC",)

TYPEDOC = Generator(
    furniture=frozenset({"tsd-index-panel"}),  # the list of the members that follow
    member_headings=frozenset({"tsd-panel-header"}),
)
