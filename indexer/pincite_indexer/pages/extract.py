"""Extract headings, blocks, anchors and links from a page's content in one pass, in document order.

The walk never navigates by siblings. Minified HTML omits end tags, and libxml2 then nests block elements inside `<p>`.
The order of tags and texts is still correct. This module does not deal with files, stable IDs or vectors.
"""

from lxml import etree

from pincite_core.types import Landing
from pincite_indexer.pages.code_blocks import code_spans, embedded_files, fenced, is_code_block, is_code_table
from pincite_indexer.pages.lists_and_tables import LIST_TAGS
from pincite_indexer.pages.markup import (
    BLOCK_TAGS,
    FURNITURE_TAGS,
    HEADING_TAGS,
    LABEL_LENGTH,
    TabReader,
    is_footnote_mark,
    is_furniture,
    is_hidden,
    is_label,
    is_note,
    plain_text,
)
from pincite_indexer.pages.piece_collector import FoundLink, PieceCollector
from pincite_indexer.pages.records import Piece

__all__ = ("extract",)

_TABLE_TAGS = frozenset({"table", "tr", "td", "th"})
_OPEN_SOMETHING = frozenset(
    {*HEADING_TAGS, *LIST_TAGS, *_TABLE_TAGS, *"div section details code br img blockquote".split()}
)
_MAY_BE_CODE = frozenset({"div", "table", "code"})
_CODE_BREAK = "\v"  # a `br` within inline code
_MAY_HIDE = frozenset({"div", "section", "details"})  # tab panels and closed details
_WITHIN_SECTION = frozenset({"p", "hr"})  # after the end of any other block, the following text stands elsewhere
_MAX_LANDINGS = 16  # nested tabs and details; deeper nesting is hostile, and each level costs time for every block


def extract(root: etree._Element) -> tuple[tuple[Piece, ...], tuple[FoundLink, ...]]:
    """Return the pieces and links of a content root, in document order."""
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


class _Walk(PieceCollector):
    """State of one pass: the elements that are open."""

    def __init__(self) -> None:
        super().__init__()
        self.tabs = TabReader()
        self.skipped: etree._Element | None = None
        self.code: etree._Element | None = None
        self.code_start = 0  # place of its text in the buffer
        self.code_table: etree._Element | None = None
        self.link: etree._Element | None = None
        self.label: etree._Element | None = None

    def start(self, element: etree._Element) -> bool:
        """Open an element; return False to skip its subtree."""
        tag = str(element.tag)
        plain = not element.keys()  # true of most elements, which then have no class, role, ID or link target
        if tag in FURNITURE_TAGS or (not plain and (is_furniture(element) or self.tabs.read_labels(element))):
            return self._skip(element)
        if not plain and is_hidden(element):
            self._anchor(element)  # may be the anchor of a heading
            self.anchors.close(element)
            return self._skip(element)
        if not plain and is_footnote_mark(element):
            if self.buffer and element.tail and not element.tail[0].isalnum():
                self.buffer[-1] = self.buffer[-1].rstrip()  # no blank before punctuation after the dropped mark
            self.anchors.add(element, self._target_kind(element), self._landing(), inside=False)
            self.anchors.marks.add(element.get("id") or "")
            return self._skip(element)
        if self.buffer and self.heading is None and (tag in BLOCK_TAGS or tag in HEADING_TAGS):
            self._break(tag)
        if tag == "pre" or (tag in _MAY_BE_CODE and self.heading is None and is_code_block(element, tag)):
            if self.buffer:
                self._break("pre")
            self._anchor(element)
            self._emit_code(element)
            return self._skip(element)
        if not plain or tag in _OPEN_SOMETHING:
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
            self.links.append(FoundLink(len(self.pieces), element, plain_text(element)))
            self.link = None
        if element is self.label:
            self.label, self.kind = None, "prose"
        if element is self.note:
            self.note = None
        self.anchors.close(element)
        if self.ended is not None and tag in BLOCK_TAGS and tag not in _WITHIN_SECTION:
            self.ended = None
        if self.landings and self.landings[-1][0] is element:
            self.landings.pop()

    def _skip(self, element: etree._Element) -> bool:
        self.trailing = self.ended = None  # the skipped element may be the anchors' target
        self.skipped = element
        return False

    def _break(self, tag: str) -> None:
        """End the text before a block; inside a table cell, replace a block's start with a blank."""
        if self.tables.in_row and (self.tables.nested or tag == "table" or not self._is_table_part(tag)):
            self.buffer.append(" ")
        else:
            self._flush()

    def _open(self, element: etree._Element, tag: str) -> None:
        for code, language in embedded_files(element):
            self._emit("code", fenced(code, language))
        if self.label is None and is_label(element):
            self.label, self.kind = element, "heading"
        if self.note is None and not (tag == "blockquote" and self.lists.open) and is_note(element):
            self.note = element
        if tag in _MAY_HIDE and len(self.landings) < _MAX_LANDINGS:
            landing = self.tabs.open_panel(element)
            if landing is None and tag == "details":
                summary = element.find("summary")
                landing = Landing("details", plain_text(summary)[:LABEL_LENGTH] if summary is not None else "")
            if landing is not None:
                self.landings.append((element, landing))
        if tag in HEADING_TAGS and not self.tables.in_row and self.heading is None:
            self.heading = element
            if self.ended is not None and plain_text(element):
                self.anchors.put_back(self._handed_on())
            self.ended = None
        else:
            self._anchor(element)
            self._open_part(element, tag)

    def _open_part(self, element: etree._Element, tag: str) -> None:
        if is_code_table(element):
            self.code_table = element
        if tag in LIST_TAGS:
            self.kind = self.lists.start(element, tag) or self.kind
            if tag == "dd" and (term := self.lists.term()):
                self.anchors.assign(element, term)
        elif self._is_table_part(tag):
            self.tables.start(tag)
        elif tag == "code" and self.code is None and self.heading is None:
            if self.buffer and self.buffer[-1].endswith("`"):
                self.buffer.append(" ")
            self.code = element
            self.code_start = len(self.buffer)
        elif tag in {"br", "img"}:
            self.buffer.append(_CODE_BREAK if self.code is not None and tag == "br" else " ")
            if tag == "img":
                self.trailing = self.ended = None
        elif tag == "a" and element.get("href") and self.link is None:
            self.link = element

    def _close_code(self) -> None:
        """Replace the text of an inline code element by a code span, or by one for each of its lines."""
        self.code = None
        text = "".join(self.buffer[self.code_start :])
        del self.buffer[self.code_start :]
        spans = code_spans(text.replace("\n", " ").replace(_CODE_BREAK, "\n"))
        if spans:
            before, after = (" " if end.isspace() else "" for end in (text[:1], text[-1:]))
            self.buffer.append(f"{before}{spans}{after}")

    def _is_table_part(self, tag: str) -> bool:
        return tag in _TABLE_TAGS and self.code_table is None

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
