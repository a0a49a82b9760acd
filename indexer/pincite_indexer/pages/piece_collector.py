"""Collect the pieces and links of a page during a walk, and choose the ID that identifies each piece in a citation.

The walk (`extract`) reports elements and texts. An empty anchor after a paragraph's text belongs to the next piece, not
to the paragraph. An author may write such an anchor above a heading and leave a paragraph open. Every parser then puts
the anchor inside that paragraph, but a reader who follows a link to it sees the heading. List items, terms and rows are
exceptions, because an anchor after their text often belongs to them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import unquote

from lxml import etree
from msgspec.structs import replace

from pincite_core.quoting.unit_text import row_text
from pincite_core.types import Landing, TargetKind, UnitKind
from pincite_indexer.generators.known_generators import MERGED
from pincite_indexer.pages.code.code_blocks import code_parts, code_spans, fenced
from pincite_indexer.pages.elements import CONTAINER_TAGS, HEADING_TAGS
from pincite_indexer.pages.lists import ListReader
from pincite_indexer.pages.markup import InlineText, has_class, one_line, plain_text
from pincite_indexer.pages.records import AnchorDraft, Block, Heading, Piece
from pincite_indexer.pages.tables.table_grid import Row
from pincite_indexer.pages.tables.table_reader import TableReader

__all__ = ("FoundLink", "PieceCollector")

_FOOTNOTE_REFERENCE = "fnref"  # Markdown's ID prefix for a footnote reference, on the element around it
_ROW_LIKE: dict[str, TargetKind] = {
    "tr": "row",
    "td": "row",
    "th": "row",
    "li": "item",
    "dt": "term",
    "details": "details",
}
"""Elements that are targets themselves, preferred to any ID inside them."""


class _AnchorReader:
    """Collector of IDs in document order that assigns them to the next piece and tracks open containers."""

    def __init__(self) -> None:
        self._seen: set[str] = set()
        self.pending: list[AnchorDraft] = []  # found since the last piece
        self._owners: list[tuple[etree._Element, str]] = []
        self.marks: set[str] = set()  # footnote marks; a paragraph is never cited by such an ID

    def add(self, element: etree._Element, kind: TargetKind, landing: tuple[Landing, ...], *, inside: bool) -> None:
        """Record an element's ID if it is new; with `inside`, a container owns the blocks in it."""
        anchor = self._if_first(element.get("id") or (element.get("name") if element.tag == "a" else "") or "")
        if not anchor:
            return
        self.pending.append(AnchorDraft(anchor, kind, self.owner(), landing))
        if anchor.startswith(_FOOTNOTE_REFERENCE):
            self.marks.add(anchor)
        if inside and element.tag in CONTAINER_TAGS:
            self._owners.append((element, anchor))

    def _if_first(self, anchor: str) -> str:
        """Return an ID if it is the first of its name on the page, else an empty string; browsers jump to the first."""
        if not anchor or anchor in self._seen:
            return ""
        self._seen.add(anchor)
        return anchor

    def assign(self, element: etree._Element, anchor: str) -> None:
        """Assign an element's blocks to another element's ID, such as a definition's blocks to its term."""
        self._owners.append((element, anchor))

    def close(self, element: etree._Element) -> None:
        if self._owners and self._owners[-1][0] is element:
            self._owners.pop()

    def owner(self) -> str:
        """Return the ID of the innermost open container; empty if none is open."""
        return self._owners[-1][1] if self._owners else ""

    def take(self) -> tuple[AnchorDraft, ...]:
        """Return the pending IDs and clear them."""
        taken = tuple(self.pending)
        self.pending.clear()
        return taken

    def best_of(self, anchors: tuple[AnchorDraft, ...]) -> str:
        """Return the ID that identifies a block best: the ID of its row, item or term, or else an ID inside it."""
        if self._owners and self._owners[-1][1] and self._owners[-1][0].tag in _ROW_LIKE:
            return self._owners[-1][1]
        if not anchors:
            return self.owner()
        unfit = self.marks.union(owner for _, owner in self._owners)
        return next((item.anchor for item in anchors if item.anchor not in unfit), self.owner())

    def take_for_heading(self, heading: etree._Element) -> tuple[str, tuple[AnchorDraft, ...]]:
        """Return a heading's own ID and the other IDs around it.

        A heading without an ID takes the ID that its permalink names, or else the nearest one. Generators put this ID
        inside the heading or on the section around it, sometimes with labels in between. The following text then
        belongs to the heading, not to a container that started before it.
        """
        anchors = list(self.take())
        own = self._if_first(heading.get("id") or "")
        if not own and anchors:
            named = {unquote(link.get("href") or "").removeprefix("#") for link in heading.iter("a", "seen")}
            own = anchors.pop(next((i for i, item in enumerate(anchors) if item.anchor in named), -1)).anchor
        if own:
            self._owners = [(holder, "") for holder, _ in self._owners]
        return own, tuple(anchors)

    def put_back(self, anchors: tuple[AnchorDraft, ...]) -> None:
        self.pending = [*anchors, *self.pending]


@dataclass(frozen=True, slots=True)
class FoundLink:
    """Link: its position (index into the pieces), its element and its text."""

    piece: int
    element: etree._Element
    text: str


class PieceCollector:
    """State of one pass over a page, with the collected pieces and links."""

    def __init__(self) -> None:
        self.pieces: list[Piece] = []
        self.links: list[FoundLink] = []
        self.anchors = _AnchorReader()
        self.trailing: int | None = None  # pending IDs before the text's trailing anchors; None without such anchors
        # The last paragraph without its trailing anchors, and these anchors, in case the next piece takes them.
        self.ended: tuple[Block, tuple[AnchorDraft, ...]] | None = None
        self.lists = ListReader()
        self.tables = TableReader()
        self.landings: list[tuple[etree._Element, Landing]] = []
        self.line = InlineText()
        self.buffer = self.line.parts
        self.pictures: list[str] = []  # the alternative texts in the buffer
        self.kind: UnitKind = "prose"
        self.heading: etree._Element | None = None
        self.note: etree._Element | None = None  # the outermost open admonition
        self.sections: list[tuple[etree._Element, int]] = []  # open `section` elements, and the pieces before each
        self.leaves = 0  # level of the first heading of a `section` element that has ended since the last piece

    def text(self, text: str) -> None:
        """Add text from the markup; blanks between blocks are dropped."""
        if self.trailing is not None and not text.isspace():
            self.trailing = None
        if self.buffer or not text.isspace():
            self.line.add(text)

    def finish(self) -> tuple[tuple[Piece, ...], tuple[FoundLink, ...]]:
        """Flush the remaining text and return all pieces and links; the last piece gets the remaining IDs."""
        self._flush()
        left = self.anchors.take()
        if left and self.pieces:
            self.pieces[-1] = replace(self.pieces[-1], anchors=(*self.pieces[-1].anchors, *left))
        return tuple(self.pieces), tuple(self.links)

    def _anchor(self, element: etree._Element) -> None:
        if element.get("id") is None and element.get("name") is None:
            return
        if self.buffer and self.heading is None:  # trailing, until more text or another element with an ID follows
            in_paragraph = self.kind == "prose" and not self.lists.open and not self.tables.in_row
            if not in_paragraph or element.tag not in {"a", "span"} or element.get("href") is not None:
                self.trailing = None
            elif self.trailing is None:
                self.trailing = len(self.anchors.pending)
        self.anchors.add(element, self._target_kind(element), self._landing(), inside=self.heading is None)

    def _handed_on(self) -> tuple[AnchorDraft, ...]:
        """Remove and return the previous paragraph's trailing anchors, for the next piece.

        They move only if both pieces are in the same tabs and details.
        """
        if self.ended is None:
            return ()
        (paragraph, trailing), self.ended = self.ended, None
        if paragraph.landing != self._landing():
            return ()
        self.pieces[-1] = paragraph
        owner = self.anchors.owner()
        return tuple(replace(anchor, owner=owner) for anchor in trailing)

    def _target_kind(self, element: etree._Element) -> TargetKind:
        if has_class(element, MERGED.option_anchors):
            return "option"
        if element.tag == "dt" and not self.lists.is_synonym(element) and has_class(element, MERGED.member_terms):
            return "member"  # "term" if it is a synonym of the previous term
        if element.tag in _ROW_LIKE:
            return _ROW_LIKE[element.tag]
        if self.tables.in_row:
            return "row"
        return "item" if self.lists.open and self.kind == "item" else "other"

    def _landing(self) -> tuple[Landing, ...]:
        return tuple(landing for _, landing in self.landings) if self.landings else ()

    def _take_text(self) -> str:
        if not self.buffer:
            return ""
        text = one_line("".join(self.buffer))
        self.buffer.clear()
        self.pictures.clear()
        return text

    def _flush(self) -> None:
        pictures = one_line(" ".join(self.pictures))
        if text := self._take_text():
            mark, text = self.lists.take_mark(text) if self.kind == "item" else ("", text)
            self._emit(self.kind, mark + text, mark=len(mark), picture=text == pictures)
        self.trailing = None

    def _emit(self, kind: UnitKind, text: str, row: Row | None = None, mark: int = 0, *, picture: bool = False) -> None:
        handed, own = self._handed_on(), self.anchors.take()
        owner = self.anchors.best_of(own or handed)  # anchors from the previous paragraph have lower priority
        anchors, is_note = (*handed, *own), self.note is not None
        cells, groups = (tuple(row.cells), row.groups) if row else ((), 0)
        block = Block(kind, text, owner, self._landing(), anchors, is_note, cells, groups, mark, self.leaves, picture)
        self.pieces.append(block)
        self.leaves = 0
        if self.trailing is not None and kind == "prose":
            inner = own[: self.trailing]
            shortened = replace(block, owner=self.anchors.best_of(inner or handed), anchors=(*handed, *inner))
            self.ended = (shortened, own[self.trailing :])
        self.trailing = None

    def _close_section(self) -> None:
        """Note the end of a `section` element with text under a heading: what follows stands outside that heading."""
        pieces = self.pieces[self.sections.pop()[1] :]
        heading = next((piece for piece in pieces if isinstance(piece, Heading)), None)
        if heading is not None and heading is not pieces[-1]:
            self.leaves = heading.level

    def _emit_rows(self, rows: Sequence[Row]) -> None:
        for row in rows:
            self._emit("row", row_text(row.cells), row)

    def _emit_code(self, element: etree._Element) -> None:
        """Emit a block of code and its output; in a table cell, code is one span for each line."""
        for part in code_parts(element):
            if self.tables.in_row:
                self.buffer.append(f" {code_spans(part.text) if part.is_code else part.text} ")
            elif part.is_code:
                self._emit("code", fenced(part.text, part.language))
            else:
                self._emit("prose", part.text)
        self.anchors.close(element)

    def _emit_heading(self, element: etree._Element) -> None:
        self.heading = None
        self.leaves = 0
        self.buffer.clear()
        own, anchors = self.anchors.take_for_heading(element)
        text = plain_text(element)
        if not own and not text:
            self.anchors.put_back(anchors)
            return
        level, is_member = HEADING_TAGS[str(element.tag)], has_class(element, MERGED.member_headings)
        self.pieces.append(Heading(level, own, text, is_member, self._landing(), anchors))
