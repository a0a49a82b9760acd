"""Extract headings, blocks, anchors and links from a page's content in one pass, in document order.

The walk never navigates by siblings. Minified HTML omits end tags, and libxml2 then nests block elements inside `<p>`.
The order of tags and texts is still correct. This module does not deal with files, stable IDs or vectors.
"""

import re

from lxml import etree

from pincite_core.types import Landing
from pincite_indexer.pages.code.code_blocks import (
    CODE_TAGS,
    code_spans,
    embedded_files,
    fenced,
    is_code_block,
    is_code_table,
)
from pincite_indexer.pages.elements import BLOCK_TAGS, FURNITURE_TAGS, HEADING_TAGS
from pincite_indexer.pages.lists import LIST_TAGS, list_part, task_state
from pincite_indexer.pages.markup import (
    LABEL_LENGTH,
    icon_text,
    is_furniture,
    is_hidden,
    is_label,
    is_note,
    is_ordinary,
    is_struck,
    plain_text,
    whole_number,
)
from pincite_indexer.pages.piece_collector import FoundLink, PieceCollector
from pincite_indexer.pages.records import Piece
from pincite_indexer.pages.rendered_text import NOTE_MARK, strike
from pincite_indexer.pages.tables.table_shape import TABLE_TAGS
from pincite_indexer.pages.tabs import TabReader

__all__ = ("extract",)

_OPEN_SOMETHING = frozenset(
    {
        *HEADING_TAGS,
        *LIST_TAGS,
        *TABLE_TAGS,
        *"div section article details code br img alt figcaption blockquote".split(),
    }
)
_STRUCK_CODE = re.compile(r"~~.*?~~\s*")
_CODE_BREAK = "\v"  # a `br` within inline code
_MAY_HIDE = frozenset({"div", "section", "details"})  # tab panels and closed details
_MARKS = frozenset({"figcaption", "blockquote"})  # may be labels or quotations by their tags
_NAMES = frozenset({"id", "name"})
_LEFT_OUT = FURNITURE_TAGS | {"seen"}
_WITHIN_SECTION = frozenset({"p", "hr"})  # after the end of any other block, the following text stands elsewhere
_SECTIONS = frozenset({"section", "article"})
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
        ordinary = plain or (tag != "label" and is_ordinary(element))
        if not plain and not self.buffer and self.lists.awaits_text:
            self.lists.set_task(task_state(element, tag))
        if (not ordinary or tag in _LEFT_OUT) and self._leaves_out(element, tag):
            return self._skip(element)
        if not ordinary and element.get("role") == "heading" and tag not in HEADING_TAGS:
            tag = element.tag = f"h{min(max(whole_number(element, 'aria-level', 2), 1), 6)}"
        if self.buffer and self.heading is None and (tag in BLOCK_TAGS or tag in HEADING_TAGS):
            self._break(element, tag)
        if tag == "pre" or (tag in CODE_TAGS and self.heading is None and is_code_block(element, tag)):
            if self.buffer:
                self._break(element, "pre")
            self._anchor(element)
            self._emit_code(element)
            return self._skip(element)
        self.line.open(element)
        if not ordinary or tag in _OPEN_SOMETHING or (not plain and not _NAMES.isdisjoint(element.keys())):
            self._open(element, tag, ordinary=ordinary)
        elif tag == "a":
            self._open_link(element)
        if text := element.text or ("" if plain else icon_text(element)):
            self.text(text)
        return True

    def _leaves_out(self, element: etree._Element, tag: str) -> bool:
        """Return whether an element is not text; if it has tab labels or hidden IDs, read them."""
        if tag in FURNITURE_TAGS or is_furniture(element) or self.tabs.read_labels(element):
            return True
        if tag == "seen" or is_hidden(element):
            self._read_anchors(element)
            return True
        return False

    def _read_anchors(self, element: etree._Element) -> None:
        """Read the IDs of an element whose text is left out: of a heading's anchor, or of a footnote's mark."""
        if element.get("role") != NOTE_MARK:
            self._anchor(element)
            self.anchors.close(element)
            if element.tag == "seen":
                for part in element.iterdescendants():
                    self._anchor(part)
                    self.anchors.close(part)
            return
        if self.buffer and element.tail and not element.tail[0].isalnum():
            self.buffer[-1] = self.buffer[-1].rstrip()  # no blank before punctuation after the dropped mark
        for part in element.iter():
            self.anchors.add(part, self._target_kind(part), self._landing(), inside=False)
            self.anchors.marks.add(part.get("id") or "")

    def end(self, element: etree._Element) -> None:
        """Close an element."""
        if element is self.skipped:
            self.skipped = None
            self.line.close(element)
            return
        tag = str(element.tag)
        self.line.close(element)
        if element is self.heading:
            self._emit_heading(element)
        elif tag in BLOCK_TAGS and self.heading is None:
            self._close_block(element, tag)
        elif element is self.code:
            self._close_code()
        elif element is self.link:
            self.links.append(FoundLink(len(self.pieces), element, plain_text(element)))
            self.link = None
        if self.ended is not None and tag in BLOCK_TAGS and tag not in _WITHIN_SECTION:
            self.ended = None
        if tag in BLOCK_TAGS or element is self.label:  # nothing else is open
            self._leave(element)

    def _leave(self, element: etree._Element) -> None:
        """Close what an element opened, besides its text."""
        if element is self.label:
            self.label, self.kind = None, "prose"
        if element is self.note:
            self.note = None
        self.anchors.close(element)
        if self.sections and self.sections[-1][0] is element:
            self._close_section()
        if self.landings and self.landings[-1][0] is element:
            self.landings.pop()

    def _skip(self, element: etree._Element) -> bool:
        self.trailing = self.ended = None  # the skipped element may be the anchors' target
        self.skipped = element
        return False

    def _break(self, element: etree._Element, tag: str) -> None:
        """End the text before a block; inside a table cell, replace a block's start with a blank."""
        if self.tables.in_row and (self.tables.nested or self._table_part(element, tag) in {"", "table"}):
            self.buffer.append(" ")
        else:
            self._flush()

    def _open_marked(self, element: etree._Element) -> None:
        if is_struck(element):
            strike(element)
        for code, language in embedded_files(element):
            self._emit("code", fenced(code, language))

    def _open_mark(self, element: etree._Element, tag: str) -> None:
        """Open a label or an admonition, if the element is one."""
        if self.label is None and is_label(element):
            self.label, self.kind = element, "heading"
        if self.note is None and not (tag == "blockquote" and self.lists.open) and is_note(element):
            self.note = element

    def _open(self, element: etree._Element, tag: str, *, ordinary: bool) -> None:
        if not ordinary:
            self._open_marked(element)
        if not ordinary or tag in _MARKS:
            self._open_mark(element, tag)
        if tag in _SECTIONS or tag in _MAY_HIDE:
            self._open_section(element, tag)
        if tag in HEADING_TAGS and not self.tables.in_row and self.heading is None:
            self.heading = element
            if self.ended is not None and plain_text(element):
                self.anchors.put_back(self._handed_on())
            self.ended = None
        else:
            self._anchor(element)
            self._open_part(element, tag)

    def _open_section(self, element: etree._Element, tag: str) -> None:
        """Open a section, a tab panel or a details element."""
        if tag in _SECTIONS:
            self.sections.append((element, len(self.pieces)))
        if tag in _MAY_HIDE and len(self.landings) < _MAX_LANDINGS:
            landing = self.tabs.open_panel(element)
            if landing is None and tag == "details":
                summary = element.find("summary")
                label = "" if summary is None or is_furniture(summary) else plain_text(summary)[:LABEL_LENGTH]
                landing = Landing("details", label)
            if landing is not None:
                self.landings.append((element, landing))

    def _open_part(self, element: etree._Element, tag: str) -> None:
        if tag == "table" and is_code_table(element):
            self.code_table = element
        if list_tag := list_part(element, tag):
            self.kind = self.lists.start(element, list_tag) or self.kind
            if (tag == "dd" or (tag == "dt" and not element.get("id"))) and (term := self.lists.term()):
                self.anchors.assign(element, term)
        elif part := self._table_part(element, tag):
            self.tables.start(element, part)
        elif tag == "code" and self.code is None and self.heading is None:
            self._open_code(element)
        elif tag == "br":
            self.buffer.append(_CODE_BREAK if self.code is not None else " ")
        elif tag in {"img", "alt"}:
            self._open_picture(element)
        elif tag == "a":
            self._open_link(element)

    def _open_picture(self, element: etree._Element) -> None:
        self.trailing = self.ended = None
        if element.get("role") == "img" and element.text:
            self.pictures.append(element.text)

    def _open_link(self, element: etree._Element) -> None:
        if self.link is None and element.get("href"):
            self.link = element

    def _open_code(self, element: etree._Element) -> None:
        before = self.buffer[-1] if self.buffer else " "
        if before.endswith("`") or (self.line.joint and not before.endswith(" ")):
            self.buffer.append(" ")
        self.code, self.code_start = element, len(self.buffer)

    def _close_code(self) -> None:
        """Replace the text of an inline code element by a code span, or by one for each of its lines."""
        code, self.code = self.code, None
        text = "".join(self.buffer[self.code_start :])
        if "~~" in text and code is not None and next(code.iter("del", "s", "strike"), None) is not None:
            text = _STRUCK_CODE.sub("", text)
        del self.buffer[self.code_start :]
        spans = code_spans(text.replace("\n", " ").replace(_CODE_BREAK, "\n"))
        if spans:
            before, after = (" " if end.isspace() else "" for end in (text[:1], text[-1:]))
            self.buffer.append(f"{before}{spans}{after}")

    def _table_part(self, element: etree._Element, tag: str) -> str:
        return self.tables.part(element, tag) if self.code_table is None else ""

    def _close_block(self, element: etree._Element, tag: str) -> None:
        part = self.tables.closing_part(element, tag) if self.code_table is None else ""
        if part in {"td", "th"} and self.tables.in_row and not self.tables.nested:
            self._emit_rows(self.tables.close_cell(self._take_text(), element, part))
            return
        if part == "tr":
            self._emit_rows(self.tables.close_row())
            return
        if self.buffer:
            self._break(element, tag)
        if part == "table":
            self._emit_rows(self.tables.close_table())
        elif element is self.code_table:
            self.code_table = None
        elif list_tag := list_part(element, tag):
            self.kind = self.lists.end(list_tag) or self.kind
