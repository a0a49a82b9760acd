"""Which pages of another locale only repeat the default locale's text, told from that text.

Docusaurus builds every page in every locale and lets the default locale's text stand in for a missing translation. A
manifest says so; without one the pages themselves do.
"""

from collections.abc import Set

from pincite_core.types import UnitKind
from pincite_indexer.pages.page_draft import PageDraft
from pincite_indexer.pages.records import Block

__all__ = ("compared_texts", "repeats", "twin_url")

_SAME = 0.9  # of its texts; the theme's own words, such as those on boxes, are translated everywhere
_COMPARED: frozenset[UnitKind] = frozenset({"prose", "item", "row"})  # code and terms are the same in all languages


def twin_url(url: str, base_url: str) -> str:
    """Return where the same page of the default locale would be: without the locale's folder."""
    return base_url + url.removeprefix(base_url).partition("/")[2]


def repeats(own: Set[str], twins: Set[str]) -> bool:
    """Tell from its texts whether a page says what its twin says; one without text of its own does not."""
    return bool(own) and len(own & twins) >= _SAME * len(own)


def compared_texts(draft: PageDraft) -> frozenset[str]:
    """Return the texts of a page that a translation would say in other words."""
    return frozenset(piece.text for piece in draft.pieces if isinstance(piece, Block) and piece.kind in _COMPARED)
