"""Define the records of one page before it gets row IDs: facts from its markup, and its content in order.

The records are msgspec structs, not dataclasses. Hundreds of thousands of them are sent between processes, and slotted
frozen dataclasses are pickled field by field in Python. The garbage collector skips them, because none can be part of a
reference cycle.
"""

from msgspec import Struct

from pincite_core.quoting.unit_text import Cell
from pincite_core.types import Landing, TargetKind, UnitKind

__all__ = ("AnchorDraft", "Block", "Facts", "Heading", "LinkDraft", "Piece")


class Facts(Struct, frozen=True, gc=False):
    """Facts of a page from `<html>`, `<head>` and menus; a missing fact is an empty string."""

    locale: str = ""
    plugin: str = ""
    plugin_id: str = ""
    version: str | None = None
    version_label: str = ""
    doc_id: str = ""
    page_kind: str = ""  # the generator's own term, such as `docs-doc-page`
    title: str = ""
    site_title: str = ""
    description: str = ""
    canonical: str = ""
    own_link: str = ""  # link to the page itself in its menus, if it has no canonical link
    base: str = ""  # base URL of its links, if it declares one
    edit_links: tuple[str, ...] = ()  # paths of the sources that the page links to
    noindex: str = ""  # the mark by which the author keeps the page out of searches, such as "noindex"
    private: bool = False  # whether the author keeps the page out of the index
    search_body: bool = False  # whether it marks its content for a search tool that ignores pages without the mark
    search_page: bool = False  # whether it is the generator's search page
    forwards_to: str = ""  # target of a redirect stub
    generator: str = ""
    breadcrumbs: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()


class AnchorDraft(Struct, frozen=True, gc=False):
    """ID that does not belong to a heading."""

    anchor: str
    kind: TargetKind
    owner: str  # ID of the container around it, or empty
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
    """Paragraph, list item, table row, term or code block."""

    kind: UnitKind
    text: str
    owner: str  # the innermost ID around it
    landing: tuple[Landing, ...]
    anchors: tuple[AnchorDraft, ...] = ()  # IDs inside it or directly before it
    note: bool = False  # whether it is part of an admonition
    cells: tuple[Cell, ...] = ()  # of a table row
    groups: int = 0  # how many of the first cells name the group of rows that it belongs to
    mark: int = 0  # number of characters of a list item's bullet or number
    leaves: int = 0  # level of the headings whose `section` element has ended before it; 0 if none has
    picture: bool = False  # whether it is only the alternative text of pictures


Piece = Heading | Block


class LinkDraft(Struct, frozen=True, gc=False):
    """Link in the content."""

    piece: int  # index into the pieces
    href: str  # as written, or joined to the page's `<base>`
    text: str
