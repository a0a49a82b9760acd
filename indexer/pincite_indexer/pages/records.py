"""Define the records of one page before it gets row IDs: facts from its markup, and its content in order.

The records are msgspec structs, not dataclasses. Hundreds of thousands of them are sent between processes, and slotted
frozen dataclasses are pickled field by field in Python. The garbage collector skips them, because none can be part of a
reference cycle.
"""

import re

from msgspec import Struct

from pincite_core.quoting.table_rows import Cell
from pincite_core.types import Landing, TargetKind, UnitKind

__all__ = ("AnchorDraft", "Block", "Facts", "Heading", "LinkDraft", "Piece", "item_mark_length")

_ITEM_MARK = re.compile(r"\s*(?:-|-?\d+\.) ")


class Facts(Struct, frozen=True, gc=False):
    """Facts of a page from `<html>`, `<head>` and menus; a missing fact is an empty string.

    Attributes:
        page_kind: The generator's own term, such as `docs-doc-page`.
        own_link: Link to the page itself in its menus, if it has no canonical link.
        base: Base URL of its links, if it declares one.
        edit_links: Paths of the sources that the page links to.
        private: Whether the author keeps the page out of the index.
        forwards_to: Target of a redirect stub.
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
    """ID that does not belong to a heading. `owner` is the ID of the container around it, or empty."""

    anchor: str
    kind: TargetKind
    owner: str
    landing: tuple[Landing, ...]


class Heading(Struct, frozen=True, gc=False):
    """Heading; without an `anchor` it is not a target, and only labels the following text."""

    level: int
    anchor: str
    text: str
    member: bool
    landing: tuple[Landing, ...]
    anchors: tuple[AnchorDraft, ...] = ()


class Block(Struct, frozen=True, gc=False):
    """Paragraph, list item, table row, term or code block.

    Attributes:
        owner: The innermost ID around it.
        anchors: IDs inside it or directly before it.
        note: Whether it is part of an admonition.
        cells: Cells of a table row.
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
    """Link in the content: its position (index into the pieces), its `href` and its text.

    The `href` is as written. On a page with a `<base>`, it is joined to this base.
    """

    piece: int
    href: str
    text: str


def item_mark_length(text: str) -> int:
    """Return the number of characters of a list item's bullet or number."""
    mark = _ITEM_MARK.match(text)
    return mark.end() if mark else 0
