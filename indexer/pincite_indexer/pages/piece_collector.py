"""Collect the pieces and links of a page during a walk, and assign IDs and text to pieces.

The walk reports what it finds. This module decides how to build pieces, and which IDs a piece gets.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from lxml import etree
from msgspec.structs import replace

from pincite_core.quoting.table_rows import Cell, row_text
from pincite_core.strip_invisible import strip_invisible
from pincite_core.types import Landing, TargetKind, UnitKind
from pincite_indexer.generators.known_generators import every
from pincite_indexer.pages.anchors import ROW_LIKE, AnchorReader, EndedParagraph, is_empty_anchor
from pincite_indexer.pages.code_blocks import code_text, embedded_files, fenced
from pincite_indexer.pages.lists import ListReader
from pincite_indexer.pages.markup import HEADING_TAGS, classes, plain_text
from pincite_indexer.pages.records import AnchorDraft, Block, Heading, Piece
from pincite_indexer.pages.tables import TableReader

__all__ = ("FoundLink", "PieceCollector")

_OPTION_ANCHORS = every(lambda generator: generator.option_anchors)
_MEMBER_HEADINGS = every(lambda generator: generator.member_headings)
_MEMBER_TERMS = every(lambda generator: generator.member_terms)


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
        self.anchors = AnchorReader()
        self.late: int | None = None  # pending IDs before the text's trailing anchors; None without such anchors
        self.ended: EndedParagraph | None = None
        self.lists = ListReader()
        self.tables = TableReader()
        self.landings: list[tuple[etree._Element, Landing]] = []
        self.buffer: list[str] = []
        self.kind: UnitKind = "prose"
        self.heading: etree._Element | None = None
        self.note: etree._Element | None = None  # the outermost open admonition

    def text(self, text: str) -> None:
        """Add text from the markup; blanks between blocks are dropped."""
        if self.late is not None and not text.isspace():
            self.late = None
        if self.buffer or not text.isspace():
            self.buffer.append(text)

    def finish(self) -> tuple[tuple[Piece, ...], tuple[FoundLink, ...]]:
        """Flush the remaining text and return all pieces and links; the last piece gets the remaining IDs."""
        self._flush()
        left = self.anchors.take()
        if left and self.pieces:
            self.pieces[-1] = replace(self.pieces[-1], anchors=(*self.pieces[-1].anchors, *left))
        return tuple(self.pieces), tuple(self.links)

    # -- places -------------------------------------------------------------------------------------------------

    def _anchor(self, element: etree._Element) -> None:
        if element.get("id") is None and element.get("name") is None:
            return
        if self.buffer and self.heading is None:
            self._note_late(element)
        kind = self._target_kind(element)
        self.anchors.meet(element, kind, self._landing(), inside=self.heading is None)

    def _note_late(self, element: etree._Element) -> None:
        """Record an anchor after text as trailing, until more text or another element with an ID follows."""
        in_paragraph = self.kind == "prose" and not self.lists.open and not self.tables.in_row
        if not in_paragraph or not is_empty_anchor(element):
            self.late = None
        elif self.late is None:
            self.late = self.anchors.pending

    def _handed_on(self) -> tuple[AnchorDraft, ...]:
        """Remove and return the previous paragraph's trailing anchors, for the next piece.

        They move only if both pieces are in the same tabs and details.
        """
        ended, self.ended = self.ended, None
        if ended is None or ended.without.landing != self._landing():
            return ()
        self.pieces[-1] = ended.without
        owner = self.anchors.owner()
        return tuple(replace(anchor, owner=owner) for anchor in ended.late)

    def _target_kind(self, element: etree._Element) -> TargetKind:
        if not _OPTION_ANCHORS.isdisjoint(classes(element)):
            return "option"
        if element.tag == "dt" and not self.lists.has_name and not _MEMBER_TERMS.isdisjoint(classes(element)):
            return "member"  # "term" if it is a synonym of the previous term
        if element.tag in ROW_LIKE:
            return ROW_LIKE[element.tag]
        if self.tables.in_row:
            return "row"
        return "item" if self.lists.open and self.kind == "item" else "other"

    def _landing(self) -> tuple[Landing, ...]:
        return tuple(landing for _, landing in self.landings) if self.landings else ()

    # -- emitting -----------------------------------------------------------------------------------------------

    def _flush(self) -> None:
        text = self._take_text()
        if text:
            mark = self.lists.take_mark() if self.kind == "item" else ""
            self._emit(self.kind, mark + text)
        self.late = None

    def _emit(self, kind: UnitKind, text: str, cells: Sequence[Cell] = ()) -> None:
        handed = self._handed_on() if self.ended is not None else ()
        own = self.anchors.take()
        block = self._block(kind, text, handed, own)
        self.pieces.append(replace(block, cells=tuple(cells)) if cells else block)
        if self.late is not None and kind == "prose":
            without = self._block(kind, text, handed, own[: self.late])
            self.ended = EndedParagraph(without, own[self.late :])
        self.late = None

    def _block(self, kind: UnitKind, text: str, handed: tuple[AnchorDraft, ...], own: tuple[AnchorDraft, ...]) -> Block:
        """Return a block with its anchors; anchors from the previous paragraph have lower priority than its own."""
        owner = self.anchors.best_of(own or handed)
        return Block(kind, text, owner, self._landing(), (*handed, *own), self.note is not None)

    def _emit_row(self, cells: Sequence[Cell]) -> None:
        if cells:
            self._emit("row", row_text(cells), cells)

    def _emit_code(self, element: etree._Element) -> None:
        code, language = code_text(element)
        if self.tables.in_row:
            self.buffer.append(f" `{' '.join(code.split())}` ")
        elif code.strip():
            self._emit("code", fenced(code, language))
        self.anchors.close(element)

    def _embedded_code(self, element: etree._Element) -> None:
        for code, language in embedded_files(element):
            self._emit("code", fenced(code, language))

    def _emit_heading(self, element: etree._Element) -> None:
        self.heading = None
        self.buffer.clear()
        own, anchors = self.anchors.of_heading(element)
        text = plain_text(element)
        if not own and not text:
            self.anchors.put_back(anchors)
            return
        level = HEADING_TAGS[str(element.tag)]
        member = not _MEMBER_HEADINGS.isdisjoint(classes(element))
        self.pieces.append(Heading(level, own, text, member, self._landing(), anchors))

    def _close_up(self, mark: etree._Element) -> None:
        """Remove the blank before a dropped footnote mark that precedes punctuation."""
        if self.buffer and mark.tail and not mark.tail[0].isalnum():
            self.buffer[-1] = self.buffer[-1].rstrip()

    def _take_text(self) -> str:
        if not self.buffer:
            return ""
        text = " ".join(strip_invisible("".join(self.buffer)).split())
        self.buffer.clear()
        return text
