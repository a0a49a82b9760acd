"""One pass over a page's content, in document order: headings, blocks, anchors and links.

The tree is walked, never navigated by siblings: minified HTML omits end tags, and libxml2 then nests block elements
inside `<p>`, but the order of tags and texts is always right. Nothing here knows of files, IDs or vectors.
"""

from dataclasses import dataclass

from lxml import etree
from msgspec.structs import replace

from pincite_core.types import Landing, TargetKind, UnitKind
from pincite_indexer.pages.anchors import ROW_LIKE, AnchorReader
from pincite_indexer.pages.code_blocks import code_text, embedded_files, fenced
from pincite_indexer.pages.late_anchors import EndedParagraph, is_empty_anchor
from pincite_indexer.pages.lists import LIST_TAGS, ListReader
from pincite_indexer.pages.markup import (
    BLOCK_TAGS,
    FURNITURE_TAGS,
    HEADING_TAGS,
    classes,
    is_code_table,
    is_footnote_mark,
    is_furniture,
    is_label,
    is_note,
    plain_text,
)
from pincite_indexer.pages.records import AnchorDraft, Block, Heading, Piece
from pincite_indexer.pages.tables import TableReader
from pincite_indexer.pages.tabs import LABEL_LENGTH, TabReader

__all__ = ("FoundLink", "extract")

_TABLE_TAGS = frozenset({"table", "tr", "td", "th"})
_OPEN_SOMETHING = frozenset(
    {*HEADING_TAGS, *LIST_TAGS, *_TABLE_TAGS, *"div section details code br img blockquote".split()}
)
_MAY_HIDE = frozenset({"div", "section", "details"})  # panels of tabs and closed details
_WITHIN_SECTION = frozenset({"p", "hr"})  # after the end of any other block, what follows stands somewhere else
_MAX_LANDINGS = 16  # tabs and details inside one another; deeper ones are hostile, and each costs every block in it


@dataclass(frozen=True, slots=True)
class FoundLink:
    """A link: where it stands (index into the pieces), its element, and its text."""

    piece: int
    element: etree._Element
    text: str


def extract(root: etree._Element) -> tuple[tuple[Piece, ...], tuple[FoundLink, ...]]:
    """Return the pieces of a content root, in document order, and the links in them."""
    walk = _Walk()
    walker = etree.iterwalk(root, events=("start", "end", "comment", "pi"))
    for event, element in walker:
        if event == "start":
            if not walk.start(element):
                walker.skip_subtree()
        elif event == "end":
            walk.end(element)
        if event != "start" and element is not root and (tail := element.tail):
            walk.text(tail)
    return walk.finish()


class _Walk:
    """The state of one pass."""

    def __init__(self) -> None:
        self.pieces: list[Piece] = []
        self.links: list[FoundLink] = []
        self.anchors = AnchorReader()
        self.late: int | None = None  # in text after which only anchors were met: how many ids were met before those
        self.ended: EndedParagraph | None = None
        self.lists = ListReader()
        self.tables = TableReader()
        self.tabs = TabReader()
        self.landings: list[tuple[etree._Element, Landing]] = []
        self.buffer: list[str] = []
        self.kind: UnitKind = "prose"
        self.skipped: etree._Element | None = None
        self.heading: etree._Element | None = None
        self.code: etree._Element | None = None
        self.code_table: etree._Element | None = None
        self.link: etree._Element | None = None
        self.label: etree._Element | None = None
        self.note: etree._Element | None = None  # the outermost admonition around

    # -- events -------------------------------------------------------------------------------------------------

    def start(self, element: etree._Element) -> bool:
        """Open an element; False leaves its subtree out."""
        tag = str(element.tag)
        plain = not element.keys()  # as most are; then there is no class, role, id or goal to look at
        if tag in FURNITURE_TAGS or (not plain and (is_furniture(element) or self.tabs.labels(element))):
            return self._skip(element)
        if not plain and is_footnote_mark(element):
            self._close_up(element)
            self.anchors.meet_mark(element, self._target_kind(element), self._landing())
            return self._skip(element)
        if self.buffer and self.heading is None and (tag in BLOCK_TAGS or tag in HEADING_TAGS):
            self._break(tag)
        if tag == "pre":
            self._anchor(element)
            self._emit_code(element)
            return self._skip(element)
        if not plain:
            self._embedded_code(element)
            self._open(element, tag)
        elif tag in _OPEN_SOMETHING:
            self._open(element, tag)
        if text := element.text:
            self.text(text)
        return True

    def end(self, element: etree._Element) -> None:
        """Close an element."""
        if element is self.skipped:
            self.skipped = None
            return
        tag = str(element.tag)
        if element is self.heading:
            self._emit_heading(element)
        elif tag in BLOCK_TAGS and self.heading is None:
            self._close_block(element, tag)
        elif element is self.code:
            self._close_code()
        elif element is self.link:
            self._emit_link(element)
        if element is self.label:
            self.label, self.kind = None, "prose"
        if element is self.note:
            self.note = None
        self.anchors.close(element)
        if self.ended is not None and tag in BLOCK_TAGS and tag not in _WITHIN_SECTION:
            self.ended = None
        if self.landings and self.landings[-1][0] is element:
            self.landings.pop()

    def text(self, text: str) -> None:
        """Take a piece of text as it stands in the markup; blanks between blocks are none."""
        if self.late is not None and not text.isspace():
            self.late = None
        if self.buffer or not text.isspace():
            self.buffer.append(text)

    def finish(self) -> tuple[tuple[Piece, ...], tuple[FoundLink, ...]]:
        """Flush what is left and return everything; ids after the last text belong to it."""
        self._flush()
        left = self.anchors.take()
        if left and self.pieces:
            self.pieces[-1] = replace(self.pieces[-1], anchors=(*self.pieces[-1].anchors, *left))
        return tuple(self.pieces), tuple(self.links)

    # -- opening and closing ------------------------------------------------------------------------------------

    def _skip(self, element: etree._Element) -> bool:
        self.late = self.ended = None  # what is no text may be what they name
        self.skipped = element
        return False

    def _break(self, tag: str) -> None:
        """End the text before a block; inside a table cell a block is only a blank."""
        if self.tables.in_row and (self.tables.nested or tag == "table" or not self._is_table_part(tag)):
            self.buffer.append(" ")
        else:
            self._flush()

    def _open(self, element: etree._Element, tag: str) -> None:
        if self.label is None and is_label(element):
            self.label, self.kind = element, "heading"
        if self.note is None and not (tag == "blockquote" and self.lists.open) and is_note(element):
            self.note = element
        if (
            tag in _MAY_HIDE
            and len(self.landings) < _MAX_LANDINGS
            and (landing := self.tabs.enter(element) or _details(element))
        ):
            self.landings.append((element, landing))
        if tag in HEADING_TAGS and not self.tables.in_row and self.heading is None:
            self.heading = element
            if self.ended is not None and plain_text(element):
                self.anchors.put_back(self._handed_on())
            self.ended = None
            return
        self._anchor(element)
        if is_code_table(element):
            self.code_table = element
        if tag in LIST_TAGS:
            self._open_list_part(element, tag)
        elif self._is_table_part(tag):
            self._open_table_part(element, tag)
        else:
            self._open_inline(element, tag)

    def _open_list_part(self, element: etree._Element, tag: str) -> None:
        self.kind = self.lists.start(element, tag) or self.kind
        if tag == "dd" and (term := self.lists.term()):
            self.anchors.lend(element, term)

    def _is_table_part(self, tag: str) -> bool:
        return tag in _TABLE_TAGS and self.code_table is None

    def _open_table_part(self, element: etree._Element, tag: str) -> None:
        if tag == "table":
            self.tables.open_table()
        elif tag == "tr":
            self.tables.open_row()
        else:
            self.tables.open_cell(element)

    def _open_inline(self, element: etree._Element, tag: str) -> None:
        if tag == "code" and self.code is None and self.heading is None:
            self.code = element
            self.buffer.append("`")
        elif tag in {"br", "img"}:
            self.buffer.append(" ")
            if tag == "img":
                self.late = self.ended = None
        elif tag == "a" and element.get("href") and self.link is None:
            self.link = element

    def _close_block(self, element: etree._Element, tag: str) -> None:
        part = tag if self._is_table_part(tag) else ""
        if part in {"td", "th"} and self.tables.in_row and not self.tables.nested:
            self.tables.close_cell(self._take_text(), element)
            return
        if part == "tr":
            self._emit_row(self.tables.close_row())
            return
        if self.buffer:
            self._break(tag)
        if part == "table":
            self._emit_row(self.tables.close_table())
        elif element is self.code_table:
            self.code_table = None
        elif tag in LIST_TAGS:
            self.kind = self.lists.end(tag) or self.kind

    def _close_code(self) -> None:
        """End inline code; an empty one leaves no backticks behind."""
        if self.buffer[-1:] == ["`"]:
            self.buffer.pop()
        else:
            self.buffer.append("`")
        self.code = None

    # -- places -------------------------------------------------------------------------------------------------

    def _anchor(self, element: etree._Element) -> None:
        if element.get("id") is None and element.get("name") is None:
            return
        if self.buffer and self.heading is None:
            self._note_late(element)
        kind = self._target_kind(element)
        self.anchors.meet(element, kind, self._landing(), inside=self.heading is None)

    def _note_late(self, element: etree._Element) -> None:
        """Note an anchor after text as late until more text comes; anything else with an id is content."""
        in_paragraph = self.kind == "prose" and not self.lists.open and not self.tables.in_row
        if not in_paragraph or not is_empty_anchor(element):
            self.late = None
        elif self.late is None:
            self.late = self.anchors.pending

    def _handed_on(self) -> tuple[AnchorDraft, ...]:
        """Take the late anchors of the paragraph before what begins here, if both are seen or hidden together."""
        ended, self.ended = self.ended, None
        if ended is None or ended.without.landing != self._landing():
            return ()
        self.pieces[-1] = ended.without
        owner = self.anchors.owner()
        return tuple(replace(anchor, owner=owner) for anchor in ended.late)

    def _target_kind(self, element: etree._Element) -> TargetKind:
        if "list-anchor-link" in classes(element):
            return "option"
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

    def _emit(self, kind: UnitKind, text: str) -> None:
        handed = self._handed_on() if self.ended is not None else ()
        own = self.anchors.take()
        self.pieces.append(self._block(kind, text, handed, own))
        if self.late is not None and kind == "prose":
            without = self._block(kind, text, handed, own[: self.late])
            self.ended = EndedParagraph(without, own[self.late :])
        self.late = None

    def _block(self, kind: UnitKind, text: str, handed: tuple[AnchorDraft, ...], own: tuple[AnchorDraft, ...]) -> Block:
        """Return a block with its anchors; those handed on to it stand before it, so that its own are better."""
        owner = self.anchors.best_of(own or handed)
        return Block(kind, text, owner, self._landing(), (*handed, *own), self.note is not None)

    def _emit_row(self, text: str) -> None:
        if text:
            self._emit("row", text)

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
        member = "tsd-panel-header" in classes(element)
        self.pieces.append(Heading(level, own, text, member, self._landing(), anchors))

    def _emit_link(self, element: etree._Element) -> None:
        self.links.append(FoundLink(len(self.pieces), element, plain_text(element)))
        self.link = None

    def _close_up(self, mark: etree._Element) -> None:
        """Leave no blank where a footnote's mark is dropped in front of a full stop."""
        if self.buffer and mark.tail and not mark.tail[0].isalnum():
            self.buffer[-1] = self.buffer[-1].rstrip()

    def _take_text(self) -> str:
        if not self.buffer:
            return ""
        text = " ".join("".join(self.buffer).replace("\u200b", "").split())
        self.buffer.clear()
        return text


def _details(element: etree._Element) -> Landing | None:
    if element.tag != "details":
        return None
    summary = element.find("summary")
    return Landing("details", plain_text(summary)[:LABEL_LENGTH] if summary is not None else "")
