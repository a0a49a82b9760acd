"""What one page yields before it is given row ids: facts from its markup, and its content in document order.

These are msgspec structs, not dataclasses: they travel between processes by the hundred thousand, and slotted frozen
dataclasses are pickled field by field in Python. None can be part of a cycle, so the collector need not look at them.
"""

import re

from msgspec import Struct

from pincite_core.quoting.table_rows import Cell
from pincite_core.types import Landing, TargetKind, UnitKind

__all__ = ("AnchorDraft", "Block", "Facts", "Heading", "LinkDraft", "Piece", "item_mark_length")

_ITEM_MARK = re.compile(r"\s*(?:-|-?\d+\.) ")


class Facts(Struct, frozen=True, gc=False):
    """What a page says of itself in `<html>` and `<head>`. Empty strings where it says nothing.

    `page_kind` is the generator's word (`docs-doc-page`, ...); `forwards_to` the goal of a redirect stub;
    `own_link`, for a page without a canonical link, the link to itself in its menus; `base` what its links start from
    instead of its own URL; `edit_links` the paths of the sources that it offers to edit or show; `private` that its
    author keeps it out of the index.
    """

    locale: str = ""
    plugin: str = ""
    plugin_id: str = ""
    version: str | None = None
    version_label: str = ""
    doc_id: str = ""
    page_kind: str = ""
    title: str = ""
    site_title: str = ""
    description: str = ""
    canonical: str = ""
    own_link: str = ""
    base: str = ""
    edit_links: tuple[str, ...] = ()
    noindex: bool = False
    private: bool = False
    forwards_to: str = ""
    generator: str = ""
    breadcrumbs: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()


class AnchorDraft(Struct, frozen=True, gc=False):
    """An id that is not a heading's own. `owner` is the id of the container around it, empty for none."""

    anchor: str
    kind: TargetKind
    owner: str
    landing: tuple[Landing, ...]


class Heading(Struct, frozen=True, gc=False):
    """A heading. Without an `anchor` nobody can be sent to it, and it only labels what follows."""

    level: int
    anchor: str
    text: str
    member: bool
    landing: tuple[Landing, ...]
    anchors: tuple[AnchorDraft, ...] = ()


class Block(Struct, frozen=True, gc=False):
    """A paragraph, list item, table row, term or code block.

    `owner` is the innermost id that holds it; `anchors` are the ids met first in or just before it; `note` tells that
    it stands in an admonition; `cells` are a table row's.
    """

    kind: UnitKind
    text: str
    owner: str
    landing: tuple[Landing, ...]
    anchors: tuple[AnchorDraft, ...] = ()
    note: bool = False
    cells: tuple[Cell, ...] = ()


Piece = Heading | Block


class LinkDraft(Struct, frozen=True, gc=False):
    """A link in the content: where it stands (index into the pieces), its `href`, and its text.

    The `href` is as written, but for a page with a `<base>`, whose links are joined to that.
    """

    piece: int
    href: str
    text: str


def item_mark_length(text: str) -> int:
    """Return how many characters of a list item's text are its bullet or number."""
    mark = _ITEM_MARK.match(text)
    return mark.end() if mark else 0
